from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0004_life'),
    ]

    operations = [
        migrations.AddField(
            model_name='seating',
            name='hides_crowd',
            field=models.BooleanField(default=False, verbose_name='hides who watches'),
        ),
    ]
