from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('lobby', '0043_guests_of_commands'),
    ]

    operations = [
        migrations.AddField(
            model_name='evening',
            name='title',
            field=models.CharField(blank=True, db_default='', default='', max_length=60),
        ),
    ]
