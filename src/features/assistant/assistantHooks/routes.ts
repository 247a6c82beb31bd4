import { hash } from 'node:crypto'
import { Type } from 'typebox'
import { anyone } from '../../../core/actor.ts'
import { Answer, command, tournamentPath } from '../../../core/operation.ts'
import { exampleGuid, Guid, nullable } from '../../../core/schema.ts'
import { readHookMessage } from '../../../infra/clients/assistant/hooks.ts'
import { headPoolers } from '../../maps/pools/policy.ts'
import { hookSecretOf } from '../assistantLinks/queries.ts'
import { findLink } from '../assistantLinks/store.ts'
import { savePush, takeHook } from './commands.ts'
import { push as bring } from './prepare.ts'
import { isSigned, maxHookBytes, readHookBody, wrongSignature } from './rules/hooks.ts'
import { failureProblems } from './rules/pushing.ts'

const hooks = command({
  name: 'assistant.hooks',
  method: 'POST',
  path: `${tournamentPath}/assistant/hooks`,
  scope: 'public',
  allow: anyone,
  ownCredentials: true,
  summary: 'What the assistant tells by its webhooks, in its own form.',
  description:
    'Signed with the `hookSecret` of the link: HMAC-SHA256 over the bytes of the body. Results of qualifiers and of songs are taken as over a connection, and count once, whichever way they come; everything else is passed over. At most five minutes old, and at most 1 MiB.',
  headers: Type.Object({
    'x-ta-signature-256': Type.Optional(
      Type.String({ maxLength: 200, description: '`sha256=` and the signature in hex.' }),
    ),
    'x-ta-webhook-delivery': Type.Optional(
      Type.String({ maxLength: 200, description: 'The same when a delivery is repeated, which then counts once.' }),
    ),
  }),
  bodyType: 'raw',
  maxBytes: maxHookBytes,
  reply: { 204: nullable(Type.String()) },
  problems: {
    'assistant.signature_wrong': 401,
    'assistant.hook_invalid': 400,
    'assistant.hook_old': 400,
    'request.limited': 429,
  },
  prepare: async ({ db, services, tournament, headers, request: { bytes, address, countGuess }, now }) => {
    const signature = headers['x-ta-signature-256']
    if (signature === undefined) throw wrongSignature()
    const link = await findLink(db, tournament.guid)
    const secret = link?.enabled === true ? hookSecretOf(services, link) : null
    // Without a secret the signature is still computed, so that time and answer do not tell that the secret is missing.
    const isProven = isSigned(bytes, signature, secret ?? '')
    if (link === undefined || secret === null || !isProven) {
      countGuess(address)
      throw wrongSignature()
    }
    const hook = readHookBody(bytes, now)
    const isOurs = hook.tournament === null || hook.tournament === link.assistantGuid
    const report = isOurs ? await readHookMessage(hook.data, link.assistantGuid) : null
    // The header with the id is not signed. A repeated delivery under another id is recognised by the digest of its
    // body.
    const ids = [headers['x-ta-webhook-delivery'] ?? hook.id, `body:${hash('sha256', bytes, 'hex')}`]
    return { report, at: hook.at, link, ids: ids.filter((id) => id !== null && id !== '') as string[] }
  },
  run: async ({ tx, tournament, prepared: { report, at, link, ids }, now }) => {
    if (report !== null) await takeHook(tx, { tournamentGuid: tournament.guid, link, report, at, ids, now })
    return new Answer(204)
  },
})

export const hookOperations = [hooks]

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
