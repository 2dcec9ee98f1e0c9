from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('lobby', '0003_match_chat'),
    ]

    operations = [
        migrations.AddField(
            model_name='result',
            name='missed',
            field=models.BooleanField(default=False, verbose_name='did not see the match through'),
        ),
    ]
