from django.db import migrations


class Migration(migrations.Migration):
    """Changed wording only, which migrations do not contain any more. Databases remember its name."""

    dependencies = [("lobby", "0033_clubs")]
