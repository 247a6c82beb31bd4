import { isIPv6 } from 'node:net'
import { isPrivateHost } from '../../../../core/network.ts'
import { conflict, invalid, missing, type Problem } from '../../../../core/problem.ts'
import { oneLine } from '../../../../core/text.ts'
import type { AssistantLink, LinkDefaults, TokenKind } from '../types.ts'

/** The port at which assistants' servers take WebSocket connections, unless they say otherwise. (assistant: Records) */
export const usualPort = 8676

export const maxHostCharacters = 253
export const maxQualifierEvents = 20
export const maxBannedMods = 50
export const maxPromptCharacters = 200
export const maxSecretCharacters = 4_000

/** Versions of the protocol that we can name. (assistant: Failures) */
export const versionCodes = { least: 1240, most: 1399 } as const
/** Named where a link names none. (assistant: Records) */
export const newestVersionCode = 1310

/** How matches are played unless somebody says otherwise. (assistant: Records) */
export const usualDefaults: LinkDefaults = {
  ...{ playMode: 'now', readyCheck: false, prompt: '', loadTimeoutMs: 100_000 },
  ...{ autoAccept: false, autoAcceptMs: 5_000 },
}

/** A link as a manager gives it; what is left out is as usual, but for secrets, which stay. */
export interface LinkInput {
  readonly host: string
  readonly port?: number
  readonly tls?: boolean
  readonly certificate?: string
  readonly assistantTournament: { readonly guid: string; readonly name: string }
  readonly tokenKind: TokenKind
  readonly token?: string | null
  readonly password?: string | null
  readonly versionCode?: number | null
  readonly qualifierEvents?: readonly string[]
  readonly bannedMods?: readonly string[]
  readonly hookSecret?: string | null
  readonly enabled?: boolean
  readonly allowModify?: boolean
  readonly defaults?: Partial<LinkDefaults>
}

/** A secret that is not sealed yet; undefined: the one that there is. */
type Given = string | null | undefined

export interface ReadLink
  extends Omit<
    AssistantLink,
    | 'tournamentGuid'
    | 'sealedToken'
    | 'sealedPassword'
    | 'sealedHookSecret'
    | 'actsAs'
    | 'state'
    | 'lastConnectedAt'
    | 'serverVersion'
    | 'permissions'
    | 'lastError'
    | 'updatedAt'
  > {
  readonly token: Given
  readonly password: Given
  readonly hookSecret: Given
}

/** What the installation lets a link lead to. (AS1; D34) */
export interface Terms {
  readonly allowPlain: boolean
  readonly allowPrivate: boolean
}

/**
 * A link is given as a whole. It leads to a public address, encrypted, unless the installation is a local one; changing host,
 * port or certificate clears token and password, unless they are given anew: a secret never follows to another server. (AS1)
 * @throws Problem `assistant.invalid`
 */
export function readLink(input: LinkInput, current: AssistantLink | undefined, terms: Terms): ReadLink {
  const { tls = true, port = usualPort, tokenKind, versionCode = null, enabled = true, allowModify = false } = input
  const host = readHost(input.host, terms)
  if (!tls && !terms.allowPlain) throw fault('tls', 'must be true')
  const certificate = readCertificate(input.certificate ?? 'public', tls)
  const isElsewhere =
    current !== undefined &&
    (current.host !== host ||
      current.port !== port ||
      current.certificate !== certificate ||
      // Without encryption everybody on the way would read them.
      (current.tls && !tls))
  const kept = (given: Given) => (given === undefined && isElsewhere ? null : given)
  if (tokenKind !== 'bot' && input.token != null) throw fault('token', 'is for the kind "bot" alone; leave it out')
  return {
    ...{ host, port, tls, certificate, tokenKind, versionCode, enabled, allowModify },
    assistantGuid: input.assistantTournament.guid,
    assistantName: oneLine(input.assistantTournament.name),
    token: tokenKind === 'bot' ? kept(input.token) : null,
    password: kept(input.password),
    hookSecret: input.hookSecret,
    qualifierEvents: readList('qualifierEvents', input.qualifierEvents ?? []),
    bannedMods: readList('bannedMods', (input.bannedMods ?? []).map(oneLine)),
    defaults: { ...usualDefaults, ...input.defaults, prompt: oneLine(input.defaults?.prompt ?? '') },
  }
}

function fault(member: string, reason: string): Problem {
  return invalid('assistant.invalid', `"${member}" ${reason}.`)
}

/** A name or an address, without anything around it; IPv6 without brackets. (AS1; D34) */
function readHost(text: string, { allowPrivate }: Terms): string {
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text
  const address = isIPv6(bare) ? `https://[${bare}]/` : `https://${text}/`
  const url = URL.canParse(address) ? new URL(address) : null
  const isBare = url !== null && url.pathname === '/' && url.port === '' && url.username === '' && url.search === ''
  if (url === null || !isBare || url.hash !== '' || /[\s@/?#\\%]/.test(text)) {
    throw fault('host', 'must be the name or address of a server, without scheme, port and path')
  }
  if (!allowPrivate && isPrivateHost(url.hostname)) throw fault('host', 'must be on the open internet')
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** `public`, or 32 bytes in hex, however they are written. */
function readCertificate(text: string, tls: boolean): string {
  if (text === 'public') return text
  const fingerprint = text.replace(/[:\s]/g, '').toLowerCase()
  if (!tls) throw fault('certificate', 'must be "public" without tls')
  if (/^[\da-f]{64}$/.test(fingerprint)) return fingerprint
  throw fault('certificate', 'must be "public" or the SHA-256 fingerprint of a certificate, in hex')
}

function readList(member: string, given: readonly string[]): readonly string[] {
  if (new Set(given).size !== given.length) throw fault(member, 'must name nothing twice')
  if (given.includes('')) throw fault(member, 'must name nothing empty')
  return given
}

const connecting = [
  ...(['host', 'port', 'tls', 'certificate', 'assistantGuid', 'tokenKind'] as const),
  ...(['sealedToken', 'sealedPassword', 'actsAs', 'versionCode'] as const),
] as const satisfies readonly (keyof AssistantLink)[]

/** A link that connects in another way than before is untested until it is used or tried. (AS3) */
export function connectsAlike(before: AssistantLink, after: Pick<AssistantLink, (typeof connecting)[number]>): boolean {
  return connecting.every((name) => before[name] === after[name])
}

export function notLinked(): Problem {
  return missing('assistant.not_linked', 'The tournament is linked to no assistant.')
}

/** A link goes with no session open: it is what they connect by. (assistant: Operations) */
export function checkNoSessions(open: number): void {
  if (open === 0) return
  throw conflict('assistant.sessions_open', 'Close the assistant’s sessions of this tournament first.')
}

/** Whoever a link acts as has set it, and must still be one of its managers. (AS2) */
export function actorLost(): Problem {
  return conflict(
    'assistant.actor_lost',
    'Whoever set the link manages this tournament no more; set it again in your own name.',
  )
}

/** What was given of a bot went with another server, or never was. (assistant: Failures) */
export function tokenMissing(): Problem {
  return conflict('assistant.unauthorised', 'The link has no token; give the one of a bot of the assistant’s.')
}
