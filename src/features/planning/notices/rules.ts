import { readName } from '../../../core/names.ts'
import { conflict, invalid } from '../../../core/problem.ts'
import { readMarkdown } from '../../../core/text.ts'
import { readInstant } from '../../../core/time.ts'
import { webAddressFault } from '../../../core/web.ts'
import {
  type Notice,
  type NoticeAudience,
  type NoticeLevel,
  type NoticeSettings,
  noticeLevels,
  noticeSettings,
} from './types.ts'

/** A notice in a request body: instants are text, and absent members are not given. */
export interface NoticeInput {
  readonly title?: string
  readonly content?: string
  readonly level?: NoticeLevel
  readonly link?: string | null
  readonly startsAt?: string | null
  readonly endsAt?: string | null
  readonly dismissible?: boolean
  readonly audience?: NoticeAudience
}

export const maxContentCharacters = 4_000

/** The defaults: a new notice is shown to everybody from now on, without an end. (domain: Notice) */
export function defaults(now: Date): NoticeSettings {
  return {
    title: '',
    content: '',
    level: 'info',
    link: null,
    startsAt: now,
    endsAt: null,
    dismissible: true,
    audience: 'everyone',
  }
}

/**
 * Applies the given members. The title is visible and on one line, the content is Markdown without unsafe markup, an
 * unset start means now, and the end is after the start. (domain: Notice; D7, D36, D56)
 * @throws Problem `notice.invalid`
 */
export function readNotice(input: NoticeInput, current: NoticeSettings, now: Date): NoticeSettings {
  const { title, content, link, startsAt, endsAt } = input
  const next: NoticeSettings = {
    title: title === undefined ? current.title : readTitle(title),
    content: content === undefined ? current.content : readContent(content),
    level: input.level ?? current.level,
    link: link === undefined ? current.link : readLink(link),
    startsAt:
      startsAt === undefined ? current.startsAt : (readInstant(startsAt, (reason) => fault('startsAt', reason)) ?? now),
    endsAt: endsAt === undefined ? current.endsAt : readInstant(endsAt, (reason) => fault('endsAt', reason)),
    dismissible: input.dismissible ?? current.dismissible,
    audience: input.audience ?? current.audience,
  }
  if (next.endsAt !== null && next.endsAt <= next.startsAt) throw fault('endsAt', 'must be after "startsAt"')
  return next
}

function fault(member: string, reason: string) {
  return invalid('notice.invalid', `"${member}" ${reason}.`)
}

function readTitle(text: string): string {
  const title = readName(text)
  if (!title.ok) throw fault('title', title.reason)
  return title.value
}

export function readContent(text: string): string {
  const content = readMarkdown(text, maxContentCharacters)
  if (content === '') throw fault('content', 'must hold something beside HTML')
  return content
}

function readLink(text: string | null): string | null {
  if (!text) return null
  const reason = webAddressFault(text)
  if (reason !== null) throw fault('link', reason)
  return text
}

/** A change must give at least one known member; unknown members are ignored. (D9) */
export function checkSomethingGiven(input: NoticeInput): void {
  if (noticeSettings.some((name) => input[name] !== undefined)) return
  throw invalid('notice.nothing_given', `Give at least one member to change: ${noticeSettings.join(', ')}.`)
}

/** The maximum number of notices that have not ended, so that all of them fit into one answer. (D8) */
export const maxCurrent = 100

export function checkRoom(othersThatHaveNotEnded: number): void {
  if (othersThatHaveNotEnded < maxCurrent) return
  throw conflict(
    'notice.limit_reached',
    `There are ${maxCurrent} notices that have not ended; end or delete one first.`,
  )
}

/** A notice has ended from the instant of its end on. */
export function hasEnded({ endsAt }: Pick<Notice, 'endsAt'>, now: Date): boolean {
  return endsAt !== null && endsAt <= now
}

/** Sorts by urgency, then by start. (domain: Notice) */
export function inOrder(notices: readonly Notice[]): Notice[] {
  return notices.toSorted(
    (a, b) =>
      noticeLevels.indexOf(b.level) - noticeLevels.indexOf(a.level) ||
      a.startsAt.getTime() - b.startsAt.getTime() ||
      (a.guid < b.guid ? -1 : 1),
  )
}
