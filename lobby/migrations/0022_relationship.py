import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Renames the model alone: the table keeps its name, for servers of the version before."""

    dependencies = [("lobby", "0021_appeals")]

    operations = [
        migrations.AlterModelTable("tie", "lobby_tie"),
        migrations.RenameModel("Tie", "Relationship"),
        migrations.AlterField(
            model_name="relationship",
            name="other",
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="relationships_to_me", to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name="relationship",
            name="user",
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="relationships", to=settings.AUTH_USER_MODEL),
        ),
    ]
