import { Type } from 'typebox'
import { command, tournamentPath } from '../../../../core/operation.ts'
import { exampleGuid, Guid, nullable } from '../../../../core/schema.ts'
import { headPoolers } from '../../../maps/pools/policy.ts'
import { savePush } from '../commands.ts'
import { push as bring } from '../prepare.ts'
import { failureProblems } from '../rules/pushing.ts'

const Count = Type.Integer({ minimum: 0, examples: [3] })

const push = command({
  name: 'assistant.push',
  method: 'POST',
  path: `${tournamentPath}/assistant/push`,
  scope: 'assistant',
  allow: headPoolers,
  summary: 'Bring the maps of a pool, or of the qualifier, to the assistant.',
  description:
    'A pool goes to the assistant’s pool that it went to before, else to the one of its name, else to a new one; the qualifier’s maps go to an event that there is. Maps are the same by level, characteristic and difficulty. Running it again changes nothing, and goes on where a run was interrupted; one run at a time. Only what everybody sees is pushed.',
  body: Type.Object(
    {
      pool: Type.Optional(Guid),
      qualifier: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          pattern: '^[\\w-]+$',
          description: 'GUID of the assistant’s event that gets the qualifier’s maps.',
        }),
      ),
      dryRun: Type.Optional(Type.Boolean({ description: 'Only tells what would be.' })),
      remove: Type.Optional(
        Type.Boolean({ description: 'Whether maps that are not ours go; they stay unless it is said.' }),
      ),
    },
    { examples: [{ pool: exampleGuid, dryRun: true }] },
  ),
  reply: {
    200: Type.Object(
      {
        added: Count,
        updated: Count,
        removed: Count,
        unchanged: Count,
        failed: Type.Array(
          Type.Object({
            map: nullable(
              Type.String({ description: 'GUID of the map here, or at the assistant of one that was to go.' }),
              'null: the name of the pool.',
            ),
            code: Type.String({ examples: ['assistant.permission'] }),
          }),
        ),
      },
      { title: 'AssistantPush' },
    ),
  },
  problems: {
    ...failureProblems,
    'assistant.invalid': 400,
    'assistant.not_linked': 409,
    'assistant.readonly': 409,
    'assistant.push_running': 409,
    'assistant.event_unknown': 404,
    'pool.unknown': 404,
    'pool.not_published': 409,
    'qualifier.unknown': 404,
    'qualifier.not_open': 409,
  },
  prepare: ({ db, clients, services, tournament, body, now }) =>
    bring({ db, clients, services, now }, tournament.guid, body),
  run: async ({ tx, actor, tournament, prepared, now }) => {
    await savePush(tx, actor, tournament.guid, prepared, now)
    const { added, updated, removed, unchanged, failed } = prepared
    return { added, updated, removed, unchanged, failed: [...failed] }
  },
})

export const pushOperations = [push]
