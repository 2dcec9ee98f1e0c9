from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("lobby", "0008_hooks")]

    operations = [
        migrations.AddField(
            model_name="seek",
            name="seats",
            field=models.PositiveSmallIntegerField(default=2, verbose_name="seats"),
        ),
    ]
