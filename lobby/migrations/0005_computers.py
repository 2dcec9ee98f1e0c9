from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('lobby', '0004_conduct'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='computer',
            field=models.CharField(blank=True, max_length=20, verbose_name='level of the site’s computer player'),
        ),
        migrations.AddField(
            model_name='user',
            name='is_bot',
            field=models.BooleanField(default=False, verbose_name='computer player'),
        ),
    ]
