import heapq
from itertools import islice

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

BATCH = 500


def move_actions(apps, schema_editor):
    """Move what was done in clubs and tournaments into the one log, in the order of its time."""
    AuditEntry = apps.get_model("lobby", "AuditEntry")
    rows = heapq.merge(of_kind(apps, "club"), of_kind(apps, "tournament"), key=lambda row: row["at"])
    while batch := [AuditEntry(**row) for row in islice(rows, BATCH)]:
        AuditEntry.objects.bulk_create(batch)


def of_kind(apps, kind):
    Action = apps.get_model("lobby", f"{kind}action")
    # Rows of clubs that are gone have no id of the club.
    for row in Action.objects.order_by("at", "pk").iterator():
        yield {
            "user_id": row.user_id,
            "action": f"{kind}-{row.action}",
            "target": getattr(row, f"{kind}_id") or "",
            "details": row.details,
            "at": row.at,
        }


class Migration(migrations.Migration):

    dependencies = [
        ('lobby', '0044_evening_title'),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
                ('action', models.CharField(max_length=32)),
                ('target', models.CharField(db_index=True, max_length=200)),
                ('details', models.JSONField(default=dict)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='audit_entries', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.RunPython(move_actions, migrations.RunPython.noop, elidable=True),
        migrations.DeleteModel(
            name='ClubAction',
        ),
        migrations.DeleteModel(
            name='TournamentAction',
        ),
    ]
