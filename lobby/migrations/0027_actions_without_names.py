from django.db import migrations


def forget_names(apps, schema_editor):
    """Name removed players by their entry: a name would outlive the account."""
    actions = apps.get_model("lobby", "TournamentAction")
    entrants = apps.get_model("lobby", "Entrant")
    for action in actions.objects.filter(action="remove", details__has_key="name"):
        name = action.details.pop("name")
        players = entrants.objects.filter(tournament=action.tournament_id, user__username__iexact=name)
        action.details["entrant"] = players.values_list("pk", flat=True).first()
        action.save(update_fields=["details"])


class Migration(migrations.Migration):
    dependencies = [("lobby", "0026_remarks")]

    operations = [migrations.RunPython(forget_names, migrations.RunPython.noop)]
