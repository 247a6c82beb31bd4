import { type Static, Type } from 'typebox'
import { Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import { playModes, tokenKinds } from './bodies.ts'
import type { Trial } from './prepare.ts'
import { shownText } from './rules/outcomes.ts'
import { missingOf, missingPermissionsOf } from './rules/permissions.ts'
import type { AssistantLink } from './types.ts'

const Secret = (description: string) =>
  Type.Object({ configured: Type.Boolean() }, { title: 'Configured', description })

/** A link as the staff sees it. It never contains a secret. (assistant: Records) */
export const AssistantLinkView = Type.Object(
  {
    host: Type.String({ examples: ['assistant.example.org'] }),
    port: Type.Integer({ examples: [8676] }),
    tls: Type.Boolean(),
    certificate: Type.String({
      description: '`public`, or the SHA-256 fingerprint of a self-signed one.',
      examples: ['public'],
    }),
    assistantTournament: Type.Object({ guid: Type.String(), name: Type.String({ examples: ['Spring Cup'] }) }),
    tokenKind: oneOf(tokenKinds),
    token: Secret('Whether there is one.'),
    password: Secret('Whether there is one.'),
    hookSecret: Secret('Whether there is one.'),
    actsAs: nullable(
      UserCard,
      'In whose name tokens are made, where they are of this service; null where nobody is left.',
    ),
    versionCode: nullable(Type.Integer({ examples: [1310] }), 'null for the newest that is known here.'),
    qualifierEvents: Type.Array(Type.String(), { description: 'GUIDs of the assistant’s events.' }),
    bannedMods: Type.Array(Type.String({ examples: ['Heck'] })),
    enabled: Type.Boolean(),
    allowModify: Type.Boolean(),
    defaults: Type.Object({
      playMode: oneOf(playModes),
      readyCheck: Type.Boolean(),
      prompt: Type.String(),
      loadTimeoutMs: Type.Integer(),
      autoAccept: Type.Boolean(),
      autoAcceptMs: Type.Integer(),
    }),
    status: Type.Object({
      state: oneOf(['untested', 'ok', 'failing'], {
        description: 'A link that was changed is untested until it is used.',
      }),
      lastConnectedAt: nullable(Instant),
      serverVersion: nullable(Type.Integer({ examples: [1310] })),
      permissions: Type.Array(Type.String({ examples: ['tournament:match:create_match'] }), {
        description: 'That the assistant gives us.',
      }),
      missingPermissions: Type.Array(Type.String(), { description: 'What needs one of these is left out.' }),
      lastError: nullable(
        Type.Object({
          code: Type.String({ examples: ['assistant.unreachable'] }),
          message: Type.String(),
          at: Instant,
        }),
      ),
    }),
    updatedAt: Instant,
  },
  { title: 'AssistantLink', description: 'The assistant’s tournament in which matches of a tournament are played.' },
)
type AssistantLinkView = Static<typeof AssistantLinkView>

export async function assistantLinkView(db: Db, link: AssistantLink): Promise<AssistantLinkView> {
  const { actsAs, lastConnectedAt, lastError } = link
  const facts = actsAs === null ? undefined : (await listUserFacts(db, [actsAs])).get(actsAs)
  return {
    host: link.host,
    port: link.port,
    tls: link.tls,
    certificate: link.certificate,
    assistantTournament: { guid: link.assistantGuid, name: link.assistantName },
    tokenKind: link.tokenKind,
    token: { configured: link.sealedToken !== null },
    password: { configured: link.sealedPassword !== null },
    hookSecret: { configured: link.sealedHookSecret !== null },
    actsAs: facts === undefined ? null : userCard(facts),
    versionCode: link.versionCode,
    qualifierEvents: [...link.qualifierEvents],
    bannedMods: [...link.bannedMods],
    enabled: link.enabled,
    allowModify: link.allowModify,
    defaults: { ...link.defaults },
    status: {
      state: link.state,
      lastConnectedAt: formatInstant(lastConnectedAt),
      serverVersion: link.serverVersion,
      permissions: [...link.permissions],
      missingPermissions: [...missingPermissionsOf(link)],
      lastError,
    },
    updatedAt: formatInstant(link.updatedAt),
  }
}

export const AssistantTokenView = Type.Object(
  { token: Type.String({ examples: ['eyJhbGciOiJSUzI1NiJ9…'] }), expiresAt: Instant },
  { title: 'AssistantToken', description: 'A token for assistants’ servers; nothing here takes it.' },
)

const Permissions = (description: string) =>
  Type.Array(Type.String({ examples: ['tournament:match:create_match'] }), { description })

/** The maximum number of entries shown from an assistant's server. */
const maxListed = 100

export const LinkTestView = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the tournament could be joined.' }),
    serverVersion: nullable(Type.Integer({ examples: [1310] })),
    tournaments: Type.Array(Type.Object({ guid: Type.String(), name: Type.String({ examples: ['Spring Cup'] }) }), {
      description: 'That the assistant tells of.',
    }),
    permissions: Permissions('That it gives us.'),
    missing: Type.Object(
      {
        needed: Permissions('Without one of these there are no sessions.'),
        wished: Permissions('What needs one of these is left out.'),
      },
      { description: 'Empty where nothing was joined.' },
    ),
    events: Type.Array(
      Type.Object({ guid: Type.String(), name: Type.String(), maps: Type.Integer({ description: 'How many.' }) }),
      { description: 'Qualifiers of its tournament.' },
    ),
    durationMs: Type.Integer(),
    error: nullable(
      Type.Object({ code: Type.String({ examples: ['assistant.unreachable'] }), message: Type.String() }),
    ),
  },
  { title: 'AssistantLinkTest', description: 'How connecting by a link went.' },
)

export function linkTestView({ outcome, joined, seen, durationMs }: Trial): Static<typeof LinkTestView> {
  const named = ({ guid, name }: { readonly guid: string; readonly name: string }) => {
    return { guid: shownText(guid), name: shownText(name) }
  }
  const permissions = outcome.ok ? outcome.permissions.slice(0, maxListed).map(shownText) : []
  const missing = outcome.ok ? missingOf(outcome.permissions) : { needed: [], wished: [] }
  return {
    ok: outcome.ok,
    serverVersion: joined?.serverVersion ?? null,
    tournaments: (joined?.tournaments ?? seen).slice(0, maxListed).map(named),
    permissions,
    missing: { needed: [...missing.needed], wished: [...missing.wished] },
    events: (joined?.tournament.qualifiers ?? [])
      .slice(0, maxListed)
      .map(({ maps, ...event }) => ({ ...named(event), maps: maps.length })),
    durationMs,
    error: outcome.ok ? null : { code: outcome.code, message: outcome.message },
  }
}
