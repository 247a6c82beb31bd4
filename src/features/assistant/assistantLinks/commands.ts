import type { SignedIn } from '../../../core/actor.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { enqueue } from '../../../infra/jobs/jobs.ts'
import type { Seal } from '../../../infra/sealed.ts'
import { type Resealed, resealMembers, type SealChange, sealText, sumResealed } from '../../../infra/sealed-text.ts'
import type { Services } from '../../../services.ts'
import { findUserByGuid } from '../../people/users/store/users.ts'
import { lockTournament } from '../../tournaments/tournaments/commands/lock.ts'
import type { LoggedLink } from './events.ts'
import { openSecret } from './queries.ts'
import { checkNoSessions, connectsAlike, type LinkInput, notLinked, readLink, type Terms } from './rules/links.ts'
import type { Outcome } from './rules/outcomes.ts'
import { sealPurposes } from './rules/secrets.ts'
import { dayOf, tokensPerDay, tooManyTokens } from './rules/tokens.ts'
import {
  countOpenSessions,
  countToken,
  deleteLink,
  type LinkStatus,
  listSealed,
  lockLink,
  type StoredLink,
  setSealed,
  setStatus,
  writeLink,
} from './store.ts'
import type { AssistantLink } from './types.ts'

/** The job that tries a link after its way of connecting was changed. (AS3) */
export const tryJob = 'assistant_links.try'
/** The wait before a changed link is tried. The manager may use the link first, or change it again. */
const tryAfterMs = 30_000

/** What `setLink` needs besides the database. */
export interface Surroundings {
  readonly seal: Seal
  readonly terms: Terms
  readonly now: Date
}

/**
 * Creates or replaces a tournament's link to an assistant, in the name of the actor. The same input again changes
 * nothing. A link that now connects in another way becomes `untested`. (AS1, AS2, AS3)
 * @throws Problem `tournament.unknown`, `assistant.invalid`
 */
export async function setLink(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  input: LinkInput,
  { seal, terms, now }: Surroundings,
): Promise<AssistantLink> {
  await lockTournament(tx, tournamentGuid)
  const before = await lockLink(tx, tournamentGuid)
  const { token, password, hookSecret, ...read } = readLink(input, before, terms)
  const sealed = sealerOf(seal)
  const settings = {
    ...read,
    tournamentGuid,
    sealedToken: sealed('token', token, before?.sealedToken),
    sealedPassword: sealed('password', password, before?.sealedPassword),
    sealedHookSecret: sealed('hookSecret', hookSecret, before?.sealedHookSecret),
    actsAs: read.tokenKind === 'own' ? actor.guid : null,
  }
  const isAlike = before !== undefined && connectsAlike(before, settings)
  const link: StoredLink = { ...settings, ...(isAlike ? statusOf(before) : untested) }
  if (before !== undefined && isSame(before, link)) return before
  const after = await writeLink(tx, link, now)
  if (!isAlike && after.enabled) {
    const payload = { tournament: tournamentGuid, updatedAt: after.updatedAt.toISOString() }
    await enqueue(tx, tryJob, { payload, runAt: new Date(now.getTime() + tryAfterMs) })
  }
  emit(tx, {
    type: 'assistant.linked',
    subject: tournamentGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: before === undefined ? null : logged(before),
    after: logged(after),
  })
  return after
}

/** Seals a new secret. An unchanged secret keeps its sealed text, because sealing gives a different text each time. */
function sealerOf(seal: Seal) {
  return (name: keyof typeof sealPurposes, given: string | null | undefined, current: string | null = null) => {
    if (given === undefined || given === null) return given === null ? null : current
    return openSecret(seal, name, current) === given ? current : sealText(seal, sealPurposes[name], given)
  }
}

const untested: LinkStatus = {
  lastConnectedAt: null,
  serverVersion: null,
  permissions: [],
  lastError: null,
  state: 'untested',
}

function statusOf({ state, lastConnectedAt, serverVersion, permissions, lastError }: AssistantLink) {
  return { state, lastConnectedAt, serverVersion, permissions, lastError }
}

function isSame(before: AssistantLink, after: StoredLink): boolean {
  const members = Object.keys(after) as (keyof StoredLink)[]
  const { defaults } = before
  const isEqual = (name: keyof StoredLink) => JSON.stringify(before[name]) === JSON.stringify(after[name])
  const names = Object.keys(defaults) as (keyof typeof defaults)[]
  return (
    members.every((name) => name === 'defaults' || isEqual(name)) &&
    names.every((name) => defaults[name] === after.defaults[name])
  )
}

/**
 * Deletes a tournament's link with its secrets.
 * @throws Problem `assistant.not_linked`, `assistant.sessions_open`
 */
export async function removeLink(tx: Tx, actor: SignedIn, tournamentGuid: string): Promise<void> {
  const before = await lockLink(tx, tournamentGuid)
  if (before === undefined) throw notLinked()
  checkNoSessions(await countOpenSessions(tx, tournamentGuid))
  await deleteLink(tx, tournamentGuid)
  emit(tx, {
    type: 'assistant.unlinked',
    subject: tournamentGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: logged(before),
  })
}

function logged({ host, port, assistantGuid, tokenKind, enabled }: AssistantLink): LoggedLink {
  return { host, port, assistantTournament: assistantGuid, tokenKind, enabled }
}

/**
 * Issues a token for assistants' servers, which the caller uses in their own client. The token is stored nowhere. (AS2)
 * @throws Problem `assistant.token_limit`
 */
export async function issueToken(
  tx: Tx,
  { tokens }: Pick<Services, 'tokens'>,
  actor: SignedIn,
  now: Date,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  if (!(await countToken(tx, actor.guid, dayOf(now), tokensPerDay))) throw tooManyTokens(now)
  const user = await findUserByGuid(tx, actor.guid)
  if (user === undefined) throw new Error('whoever has a token is a user')
  return tokens.issueForAssistants(user, now)
}

/**
 * Saves whether connecting by a link succeeded. If the link was changed or deleted since, the outcome is dropped. (AS3)
 * @param actor null for the service itself
 */
export async function noteOutcome(
  tx: Tx,
  actor: SignedIn | null,
  { tournamentGuid, updatedAt }: Pick<AssistantLink, 'tournamentGuid' | 'updatedAt'>,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const link = await lockLink(tx, tournamentGuid)
  if (link?.updatedAt.getTime() !== updatedAt.getTime()) return
  const status = statusAfter(link, outcome, now)
  await setStatus(tx, tournamentGuid, status)
  emit(tx, {
    type: 'assistant.link_tested',
    subject: tournamentGuid,
    tournament: tournamentGuid,
    actor: actor?.guid ?? null,
    before: { state: link.state, error: link.lastError?.code ?? null },
    after: { state: status.state, error: status.lastError?.code ?? null },
  })
}

/** A link as it was when it was used, and the outcome of connecting. */
export interface LinkUse {
  readonly link: AssistantLink
  readonly outcome: Outcome
}

/** Saves the outcome of a use of the link if it changes the link's status. All staff see that status. (AS3) */
export async function noteUse(tx: Tx, actor: SignedIn | null, { link, outcome }: LinkUse, now: Date): Promise<void> {
  if (!isNews(link, outcome)) return
  await noteOutcome(tx, actor, link, outcome, now)
}

/** Whether the outcome changes the link's status. */
export function isNews({ state, lastError, permissions, serverVersion }: AssistantLink, outcome: Outcome): boolean {
  if (!outcome.ok) return state !== 'failing' || lastError?.code !== outcome.code
  const held = new Set(permissions)
  const isSame = held.size === new Set(outcome.permissions).size && outcome.permissions.every((one) => held.has(one))
  return state !== 'ok' || serverVersion !== outcome.serverVersion || !isSame
}

/** A failure keeps the version, the permissions and the time of the last connection. */
function statusAfter(link: AssistantLink, outcome: Outcome, now: Date): LinkStatus {
  if (outcome.ok) {
    const { serverVersion, permissions } = outcome
    return { state: 'ok', lastConnectedAt: now, serverVersion, permissions, lastError: null }
  }
  const { lastConnectedAt, serverVersion, permissions } = link
  const lastError = { code: outcome.code, message: outcome.message, at: formatInstant(now) }
  return { state: 'failing', lastConnectedAt, serverVersion, permissions, lastError }
}

/** Encrypts the secrets of all links with the new secret of the installation. No event: they are the same. (AS2) */
export async function resealLinks(tx: Tx, change: SealChange): Promise<Resealed> {
  const counts: Resealed[] = []
  for (const { tournamentGuid, ...sealed } of await listSealed(tx)) {
    const { values, ...count } = resealMembers(change, sealPurposes, sealed)
    await setSealed(tx, tournamentGuid, values)
    counts.push(count)
  }
  return sumResealed(counts)
}
