import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, anonymous, isSignedIn, publicAudience } from '../../core/actor.ts'
import { networkOf } from '../../core/network.ts'
import { type Operation, parametersOf } from '../../core/operation.ts'
import { invalid, Problem, type ProblemKind, unauthenticated } from '../../core/problem.ts'
import { isPossibleInRehearsals } from '../../core/rehearsals.ts'
import { isHeld, type Scope } from '../../core/scopes.ts'
import { cleanText } from '../../core/text.ts'
import type { Db } from '../db/database.ts'
import type { Head } from '../events/head.ts'
import type { Held } from '../held/held.ts'
import { sendReady } from './answer.ts'
import type { Answers } from './answer-cache.ts'
import { audienceOf } from './audience.ts'
import { addressFor, addressReader } from './cached-addresses.ts'
import { judgeInLane, sharedAnswer } from './lanes.ts'
import type { Budget, Headers, RateLimits } from './limits.ts'
import { crossSite, notPossibleInRehearsals, notSignedIn, roleMissing, tokenInvalid, tokenMissing } from './refusals.ts'
import { takePlace } from './rehearsals.ts'
import { type Asking, judgementOf, newState } from './request.ts'

/**
 * The first half of a request's life, before its body is read: token, scope, addressed records, role. (D1) A caller who
 * is refused here learns nothing about the expected body.
 */

/** Finds the record that a path parameter names, if the actor may know of it. */
export type Resolver = (
  context: {
    readonly db: Db
    readonly actor: Actor
    readonly records: Readonly<Record<string, unknown>>
    /** The raw query of the address. */
    readonly query: Readonly<Record<string, unknown>>
    /** The result of the parameter's `ahead`. */
    readonly ahead?: unknown
  },
  value: string,
) => Promise<{
  readonly record: unknown
  /** The actor with their roles in the record's context. */
  readonly actor?: Actor
  /** GUID of the tournament that the record is, or belongs to, where the actor's rights in it count. */
  readonly tournament?: string
  /** Whether that tournament is a rehearsal, where only some changes are possible. (R1) */
  readonly isRehearsal?: boolean
}>

/** A path parameter, such as `:team`: its values and, where it names a record, how that record is found. */
export interface Parameter {
  /** A sentence that describes the parameter to callers. */
  readonly description: string
  /** Without it the parameter stays text, which the operation reads itself. */
  readonly resolve?: Resolver
  /**
   * A lookup that needs only the text. It runs at the same time as the lookups of the parameters before it, so that the
   * request waits for the database once. It decides nothing: the resolver does.
   */
  readonly ahead?: (db: Db, value: string) => Promise<unknown>
  /** Whether its record belongs to a tournament that the address does not name. */
  readonly isInTournament?: true
  /** Every problem that `resolve` throws. */
  readonly problems?: Readonly<Record<string, ProblemKind>>
}

/** Path parameters by name. */
export type Parameters = Readonly<Record<string, Parameter>>

/** The bearer of a token, and how long the token counts. */
export interface Bearer {
  readonly actor: Actor
  /** Every event that may end the token touches one of these tags. */
  readonly tags: readonly string[]
  /** Milliseconds since the epoch; infinite for a token that does not expire. */
  readonly expiresAt: number
}

/** An access token that was verified before. */
export interface KnownToken {
  readonly jti: string
  readonly userGuid: string
  readonly scopes: readonly Scope[]
}

/** A view token that was verified before; it has no user. (OV16) */
export interface KnownViewToken {
  /** GUID. */
  readonly viewToken: string
}

/** Verifies again a token that was verified before; null if it no longer counts. */
export type VerifyAgain = (token: KnownToken | KnownViewToken, now: Date) => Promise<Bearer | null>

/** The prefix of all view tokens; no other token has it. (OV16) */
const viewTokenPrefix = 'ovt_'

export function isViewToken(token: string): boolean {
  return token.startsWith(viewTokenPrefix)
}

/** Verifies credentials; `null` for a credential that does not, or no longer, count. */
export interface Authenticator {
  bearer(token: string, now: Date): Promise<Bearer | null>
  /** The cached result for a token, which may have been revoked since: no request is admitted by it alone. */
  remembered(token: string, now: Date): Bearer | null
  session(cookies: Readonly<Record<string, string | undefined>>, now: Date): Promise<Actor | null>
}

export interface Gate {
  readonly db: Db
  readonly head: Head
  readonly held: Held
  readonly answers: Answers
  readonly limits: RateLimits
  readonly authenticator: Authenticator
  readonly parameters: Parameters
  readonly publicUrl: string
}

export interface Admission {
  readonly admit: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  /** Checks a request again completely, after its caller's rights may have been reduced. */
  readonly admitAgain: (request: FastifyRequest) => Promise<void>
  /**
   * Counts a call; for callers who do not use HTTP.
   * @throws Problem `request.limited`
   */
  readonly count: (asking: Asking, actor: Actor) => Headers
  /**
   * Checks what the credential lets its bearer ask for at all.
   * @throws Problem `token.missing`, `token.invalid`, `scope.missing`
   */
  readonly identify: (asking: Asking, credential: Credential) => void
  /**
   * Finds the addressed records, and checks whether the caller may do this with them.
   * @throws Problem of the records' own, or `role.missing`
   */
  readonly judge: (asking: Asking, db: Db) => Promise<void>
}

interface JudgedAhead {
  /** The actor whose rights were assumed. */
  readonly presumed: Actor
  readonly judging: Promise<void>
  readonly state: Asking['state']
}

export function admission(operation: Operation, gate: Gate): Admission {
  const parameters = parametersOf(operation.path)
  const budget: Budget = operation.budget ?? (operation.kind === 'query' ? 'read' : 'write')
  /** A HEAD sends nothing. */
  const budgetOf = ({ method }: Asking) => (budget === 'upload' && method === 'HEAD' ? 'read' : budget)
  const readAddress = addressReader(operation)

  const count = (asking: Asking, actor: Actor) =>
    operation.ownCredentials ? {} : gate.limits.count(budgetOf(asking), callerOf(actor, asking))

  function identify({ params, state }: Asking, presented: Credential): void {
    const credential = countingFor(operation, presented)
    const { actor, bare } = credential
    Object.assign(state, { actor, bare, records: {}, beside: null, tournament: null, isRehearsal: false, clock: null })
    requireAccess(operation, credential, isMe(params))
  }

  async function judge(asking: Asking, db: Db): Promise<void> {
    const { state } = asking
    const params = asking.params as Record<string, string>
    state.startingPoint = gate.head.point
    state.judgedAt = gate.head.seq
    const addressed = parameters.map((name) => {
      const [parameter, value] = [gate.parameters[name], params[name] ?? '']
      const ahead = parameter?.ahead?.(db, value)
      // If an earlier parameter refuses the request, this promise is never awaited.
      ahead?.catch(() => {})
      return { name, parameter, value, ahead }
    })
    for (const each of addressed) await resolve(each, asking, db)

    if (!operation.allow.allows(state.actor, state.records as never)) {
      throw operation.allow.refusal?.(state.actor) ?? roleMissing(operation.allow.who)
    }
    if (state.isRehearsal && !isPossibleInRehearsals(operation)) throw notPossibleInRehearsals()
    if (operation.kind !== 'query' || operation.beside === undefined || !isSignedIn(state.actor)) return
    state.beside = await operation.beside({ db, records: state.records } as never)
  }

  /**
   * Judges a command by its cached token while the log is asked whether that token still counts, on the assumption that
   * it does: one wait for the database instead of two. Reads are not judged ahead: their results are cached as of the
   * time of the lookup.
   */
  function judgeAhead({ params, query, ip, headers, cookies, url }: FastifyRequest): JudgedAhead | null {
    const { kind, scope, ownCredentials } = operation
    if (kind !== 'command' || scope === 'session' || scope === 'browser' || ownCredentials) return null
    const token = bearerToken(headers.authorization ?? '')
    const bearer = token === undefined ? null : gate.authenticator.remembered(token, new Date())
    const asking: Asking = { params, query, ip, headers, cookies, url, state: newState(operation) }
    if (bearer === null || gate.limits.isSpent(budget, callerOf(bearer.actor, asking))) return null
    try {
      identify(asking, credentialOf(bearer))
    } catch {
      return null
    }
    const judging = judge(asking, gate.db)
    // If the token no longer counts, the caller does not learn what else was wrong.
    judging.catch(() => {})
    return { presumed: bearer.actor, judging, state: asking.state }
  }

  /** Whether anonymous callers would be let through, too, so that they may share the answer. */
  async function isForStrangers({ params, query, ip, url }: FastifyRequest): Promise<boolean> {
    const asking: Asking = { params, query, ip, url, headers: {}, cookies: {}, state: newState(operation) }
    try {
      identify(asking, nobody)
      await judge(asking, gate.db)
      return true
    } catch (error) {
      if (error instanceof Problem) return false
      throw error
    }
  }

  return {
    async admit(request, reply) {
      const ahead = judgeAhead(request)
      const credential = await readCredential(operation, request, gate)
      reply.headers(count(request, credential.actor))
      if (ahead !== null && ahead.presumed === credential.actor) {
        // The actor is set before the judgement, so that it is known for refused callers, too.
        Object.assign(request.state, { actor: credential.actor, credential })
        await ahead.judging.finally(() => Object.assign(request.state, judgementOf(ahead.state)))
        return undefined
      }
      identify(request, credential)
      const { state } = request
      const address = readAddress(request)
      if (credential.bare) {
        state.address = address
        state.isPublic = operation.kind === 'query' && operation.audience !== undefined
        if (await recall(request, reply, gate)) return reply
      }
      const judging = { state, credential, query: request.query, judge: () => judge(request, gate.db) }
      const isJudged = await judgeInLane(operation, gate, judging)
      if (credential.bare || address === null || !isJudged) return undefined
      const audience = audienceOf(operation, state)
      if (audience === null) return undefined
      if (state.lane !== null) return sharedAnswer(operation, request, reply, { audience, address, gate })
      // While something is held, those who see the present share answers only with each other.
      const isPresent = operation.kind === 'query' && gate.held.isAny
      state.address = addressFor(isPresent ? `now ${audience}` : audience, address)
      const isShared = audience === publicAudience && !isPresent
      const ready = (isShared ? gate.answers.get(address) : undefined) ?? gate.answers.get(state.address)
      if (ready === undefined) {
        if (isShared && (await isForStrangers(request))) Object.assign(state, { isPublic: true, address })
        return undefined
      }
      await sendReady(request, reply, ready)
      return reply
    },
    async admitAgain(request) {
      identify(request, await readCredential(operation, request, gate))
      await judge(request, gate.db)
    },
    count,
    identify,
    judge,
  }
}

/**
 * Sends the cached answer, if there is one and it is still valid. Its first caller passed all checks with the same
 * request, so the remaining checks would have the same result.
 */
async function recall(request: FastifyRequest, reply: FastifyReply, { head, answers }: Gate): Promise<boolean> {
  const { address } = request.state
  if (address === null || !answers.has(address)) return false
  await head.catchUp()
  const ready = answers.get(address)
  if (ready === undefined) return false
  await sendReady(request, reply, ready)
  return true
}

/** The result of verifying a caller's credentials. */
export interface Credential {
  readonly actor: Actor
  /** Whether the caller presented no credential. */
  readonly bare: boolean
  /** Creates the problem for a missing or invalid credential, which most requests never need. */
  readonly fault: (() => Problem) | null
}

/** The token of an `Authorization` header; undefined for a header without one. (RFC 6750 §2.1) */
export function bearerToken(authorization: string): string | undefined {
  return /^Bearer +([\w~+/.-]+=*) *$/i.exec(authorization)?.[1]
}

async function readCredential(operation: Operation, request: FastifyRequest, gate: Gate): Promise<Credential> {
  if (operation.scope === 'session') return readSession(request, gate)
  if (operation.scope === 'browser') return readCookies(request, gate)
  const { authorization } = request.headers
  if (authorization === undefined || operation.ownCredentials) return nobody
  const token = bearerToken(authorization)
  const bearer = token === undefined ? null : await gate.authenticator.bearer(token, new Date())
  if (bearer !== null) return credentialOf(bearer)
  // A guessed view token counts against the same budget as a guessed sign-in. (D13)
  if (token !== undefined && isViewToken(token)) gate.limits.count('sign-in', networkOf(request.ip))
  return unproven
}

/** The credential of a caller who presents none. */
export const nobody: Credential = { actor: anonymous, bare: true, fault: tokenMissing }

/**
 * Turns a caller who reads the delayed state into an anonymous viewer; the overlay page keeps the rights of its view
 * token. (RT40, OV16)
 */
export function viewerOf(actor: Actor): Credential {
  return actor.view === null ? nobody : { actor: { ...anonymous, view: actor.view }, bare: false, fault: null }
}

/** The credential of a caller with a valid token. */
export function credentialOf({ actor }: Pick<Bearer, 'actor'>): Credential {
  return { actor, bare: false, fault: null }
}

/** The credential of a caller with an invalid token. */
const unproven: Credential = { actor: anonymous, bare: false, fault: tokenInvalid }

/** A view token counts where the operation takes one; elsewhere it counts as an invalid token. (OV16) */
export function countingFor({ takesViewToken }: Operation, credential: Credential): Credential {
  return credential.actor.view === null || takesViewToken === true ? credential : unproven
}

/** A page may be opened from anywhere: a session is used if there is one, and other callers are anonymous. */
async function readCookies(request: FastifyRequest, gate: Gate): Promise<Credential> {
  await gate.head.catchUp()
  const actor = await gate.authenticator.session(request.cookies, new Date())
  return { actor: actor ?? anonymous, bare: false, fault: null }
}

/** Browsers send cookies with requests of any site, so only requests of the website's own pages may use them. (D41) */
async function readSession(request: FastifyRequest, gate: Gate): Promise<Credential> {
  const { origin, 'sec-fetch-site': site } = request.headers
  const sameOrigin = origin === undefined ? site === 'same-origin' : origin === new URL(gate.publicUrl).origin
  if (!sameOrigin) return { actor: anonymous, bare: false, fault: crossSite }
  await gate.head.catchUp()
  const actor = await gate.authenticator.session(request.cookies, new Date())
  return { actor: actor ?? anonymous, bare: false, fault: actor === null ? notSignedIn : null }
}

/** Whether the address names its user as `@me`, the caller. (D6) */
export function isMe(params: unknown): boolean {
  return (params as Readonly<Record<string, string>>).user === '@me'
}

function requireAccess(operation: Operation, credential: Credential, asksForMe: boolean): void {
  const { scope, kind } = operation
  if (scope === 'public' || scope === 'browser') return
  if (operation.publicUnlessMe && !asksForMe) return
  if (operation.missingTokenOfMe && asksForMe && credential.bare) throw meUnknown()
  if (credential.fault !== null) throw credential.fault()
  if (scope !== 'session' && !isHeld(credential.actor.scopes, scope, kind)) throw scopeMissing(scope)
}

/** A request without a token that names `@me`; invalid rather than unauthenticated. (rest-interface: Errors; D3) */
function meUnknown(): Problem {
  return new Problem('invalid', 'token.missing', 'Sign in to use @me: send an access token.', {
    headers: { 'www-authenticate': 'Bearer' },
  })
}

export function scopeMissing(scope: Scope): Problem {
  return unauthenticated('scope.missing', `The access token lacks the scope ${scope}.`, {
    error: 'insufficient_scope',
    scope,
  })
}

interface Addressed {
  readonly name: string
  readonly parameter: Parameter | undefined
  readonly value: string
  readonly ahead: Promise<unknown> | undefined
}

async function resolve({ name, parameter, value, ahead }: Addressed, asking: Asking, db: Db): Promise<void> {
  const { state } = asking
  const resolver = parameter?.resolve
  if (resolver === undefined) {
    const cleaned = cleanText(value)
    if (!cleaned.ok) throw invalid('request.invalid', `The ${name} in the address ${cleaned.reason}.`)
    state.records[name] = cleaned.value
    return
  }
  const query = asking.query as Record<string, unknown>
  const found = await resolver({ db, actor: state.actor, records: state.records, query, ahead: await ahead }, value)
  state.records[name] = found.record
  if (found.actor !== undefined) state.actor = found.actor
  await takePlace(state, found, db)
}

/**
 * The key that a call is counted under: the token's user and application, otherwise the network of the address. (D13)
 */
function callerOf(actor: Actor, { ip }: Pick<Asking, 'ip'>): string {
  return isSignedIn(actor) ? `${actor.guid}:${actor.token?.clientId ?? ''}` : networkOf(ip)
}
