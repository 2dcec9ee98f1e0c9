import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0005_crowd'),
    ]

    operations = [
        migrations.CreateModel(
            name='Thought',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ply', models.PositiveIntegerField(verbose_name='number of the ply before the position')),
                ('look', models.TextField(blank=True, help_text='JSON', null=True, verbose_name='look')),
                ('due', models.DateTimeField(blank=True, null=True, verbose_name='when a worker may take it up')),
            ],
            options={
                'verbose_name': 'thought',
                'verbose_name_plural': 'thoughts',
            },
        ),
        migrations.AddField(
            model_name='match',
            name='bot_due',
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name='when a computer player is to look at it'),
        ),
        migrations.AddField(
            model_name='seating',
            name='level',
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='level of the computer player'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('bot_due__isnull', False)), fields=['bot_due'], name='match_by_bot_due'),
        ),
        migrations.AddField(
            model_name='thought',
            name='match',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='thoughts', to='games.match', verbose_name='match'),
        ),
        migrations.AddIndex(
            model_name='thought',
            index=models.Index(condition=models.Q(('due__isnull', False)), fields=['due'], name='thought_by_due'),
        ),
        migrations.AddConstraint(
            model_name='thought',
            constraint=models.UniqueConstraint(fields=('match', 'ply'), name='one_thought_of_a_position'),
        ),
    ]
