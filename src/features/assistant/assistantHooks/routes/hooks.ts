import { hash } from 'node:crypto'
import { Type } from 'typebox'
import { anyone } from '../../../../core/actor.ts'
import { Answer, command, tournamentPath } from '../../../../core/operation.ts'
import { nullable } from '../../../../core/schema.ts'
import { readHookMessage } from '../../../../infra/clients/assistant/hooks.ts'
import { hookSecretOf } from '../../assistantLinks/queries.ts'
import { findLink } from '../../assistantLinks/store/links.ts'
import { takeHook } from '../commands.ts'
import { isSigned, maxHookBytes, readHookBody, wrongSignature } from '../rules/hooks.ts'

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
