import { createHash } from 'node:crypto'
import { encryptionBytes } from '../../../../infra/clients/push.ts'
import type { Addressed, Message, Occasion, PushKind } from '../types.ts'

interface Manner {
  readonly kind: PushKind
  readonly title: string
  /** Whether somebody waits for what the user does now. */
  readonly isUrgent: boolean
  /** For how long it is worth telling; null where its subject has a time of its own. */
  readonly minutes: number | null
}

const hour = 60
const day = 24 * hour

/**
 * How a message about each occasion looks. Recipients play or work in the match, team or sheet that the message is about,
 * so they see it without the delay of a tournament that is shown late; there are no other recipients. (additions: Push)
 */
const manners: Readonly<Record<Occasion, Manner>> = {
  'match.called': { kind: 'match_called', title: 'Your match is called', isUrgent: true, minutes: 15 },
  'match.starting': { kind: 'match_starting', title: 'Your match starts soon', isUrgent: true, minutes: null },
  'duty.starting': { kind: 'duty', title: 'A match that you work at starts soon', isUrgent: true, minutes: null },
  'duty.assigned': { kind: 'duty', title: 'You have a new duty', isUrgent: false, minutes: day },
  'opponent.ready': { kind: 'opponent_ready', title: 'Your opponent is ready', isUrgent: true, minutes: 10 },
  'result.proposed': { kind: 'result_to_confirm', title: 'A result waits for you', isUrgent: true, minutes: hour },
  'result.claimable': { kind: 'result_to_confirm', title: 'Confirm or contest a map', isUrgent: true, minutes: 5 },
  'invitation.created': { kind: 'invitation', title: 'You are invited to a team', isUrgent: false, minutes: day },
  'sheet.closing': { kind: 'sheet_closing', title: 'Tell when you are available', isUrgent: false, minutes: null },
  'team.too_small': { kind: 'roster_problem', title: 'Your team is too small', isUrgent: false, minutes: day },
}

export function kindOf(occasion: Occasion): PushKind {
  return manners[occasion].kind
}

export function titleOf(occasion: Occasion): string {
  return manners[occasion].title
}

/** Until when it is worth telling what happened at a time. Occasions with a time of their own have no use for this. */
export function worthTellingUntil(occasion: Occasion, at: Date): Date {
  return new Date(at.getTime() + (manners[occasion].minutes ?? 0) * 60_000)
}

/** Push services keep only the newest message of a topic, and a browser shows one notification for each tag. */
export function tagOf({ occasion, subject }: Pick<Message, 'occasion' | 'subject'>): string {
  const { matchGuid, sessionGuid, sheetGuid, invitationGuid, assignmentGuid, teamGuid, tournamentGuid } = subject
  const guid = assignmentGuid ?? matchGuid ?? sessionGuid ?? sheetGuid ?? invitationGuid ?? teamGuid ?? tournamentGuid
  return `${occasion} ${guid}`
}

/** At most 32 characters of base64url, which say nothing to the push service. (RFC 8030 §5.4) */
export function topicOf(message: Pick<Message, 'occasion' | 'subject'>): string {
  return createHash('sha256').update(tagOf(message)).digest('base64url').slice(0, 32)
}

export function urgencyOf(occasion: Occasion): 'normal' | 'high' {
  return manners[occasion].isUrgent ? 'high' : 'normal'
}

/** The most bytes of an encrypted message. (additions: Push) */
export const maxMessageBytes = 1_024

/**
 * The text of a message: a fixed sentence, names that everybody may read, and GUIDs. Texts of users, such as the message
 * of an invitation, are never in it. Names that are too long for 1 KB are cut. (additions: Push)
 */
export function textOf(
  message: Pick<Message, 'occasion' | 'subject'>,
  { teams, tournament }: Pick<Addressed, 'teams' | 'tournament'>,
): string {
  const { kind, title } = manners[message.occasion]
  const names = [teams.join(' – '), tournament ?? ''].filter((name) => name !== '').join(', ')
  const write = (body: string) => JSON.stringify({ kind, title, body, tag: tagOf(message), data: message.subject })
  const characters = [...names]
  const fits = (text: string) => Buffer.byteLength(text) + encryptionBytes <= maxMessageBytes
  for (let length = characters.length; ; length = Math.floor(length * 0.9)) {
    const whole = write(length === characters.length ? names : `${characters.slice(0, length).join('')}…`)
    if (fits(whole) || length === 0) return whole
  }
}
