from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('lobby', '0002_accounts_and_lobby'),
    ]

    operations = [
        migrations.AddField(
            model_name='result',
            name='missed',
            field=models.BooleanField(default=False, verbose_name='did not see the match through'),
        ),
    ]
