import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Renames the model alone: the table keeps its name, for servers of the version before."""

    dependencies = [("games", "0014_conditional_moves")]

    operations = [
        migrations.AlterModelTable("thought", "games_thought"),
        migrations.RenameModel("Thought", "AnalysisTask"),
        migrations.AlterField(
            model_name="analysistask",
            name="match",
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="analysis_tasks", to="games.match"),
        ),
    ]
