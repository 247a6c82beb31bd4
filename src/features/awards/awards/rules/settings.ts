import { isDeepStrictEqual } from 'node:util'
import { shortIdFault } from '../../../../core/ids.ts'
import { readName } from '../../../../core/names.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import { readMarkdown } from '../../../../core/text.ts'
import { formatInstant, readInstant } from '../../../../core/time.ts'
import { webAddressFault } from '../../../../core/web.ts'
import type { Edition, EditionRules } from '../types.ts'
import { checkDates, type Dates, dateNames, hasReached } from './phases.ts'

/** The settings of an edition, which managers change. (awards: Records) */

export const maxTitleCharacters = 120
export const maxDescriptionCharacters = 20_000

/** The names of the settings, in the order in which events list them. */
export const settingNames = [
  'id',
  'title',
  'description',
  'bannerUrl',
  'nominationsOpenAt',
  'nominationsCloseAt',
  'votingOpensAt',
  'votingClosesAt',
  'publishAt',
  'rules',
] as const satisfies readonly (keyof Edition)[]

export type EditionSettings = Pick<Edition, (typeof settingNames)[number]>

export interface RulesInput extends Partial<Omit<EditionRules, 'linkBefore' | 'accountBefore'>> {
  readonly accountBefore?: string
  readonly linkBefore?: string | null
}

/** The settings as a manager sends them, with dates as text. A missing member is unchanged. */
export interface EditionInput {
  readonly id?: string
  readonly title?: string
  readonly description?: string
  readonly bannerUrl?: string | null
  readonly nominationsOpenAt?: string
  readonly nominationsCloseAt?: string
  readonly votingOpensAt?: string
  readonly votingClosesAt?: string
  readonly publishAt?: string | null
  readonly rules?: RulesInput
}

const defaultRules = {
  link: 'either',
  linkBefore: null,
  minTournamentsPlayed: 0,
  selfNomination: false,
  nominationsPerCategory: 3,
  tie: 'shared',
  showCounts: true,
} as const

/**
 * Reads the settings; given members replace the present ones. (awards: Records; awards: Details, 4; D6, D7, D36, D56)
 * @param current null for a new edition, which needs every member without a default
 * @throws Problem `award.invalid`, `award.dates_invalid`
 */
export function readEdition(input: EditionInput, current: Edition | null): EditionSettings {
  const { id, title, description, bannerUrl, publishAt } = input
  const next: EditionSettings = {
    id: id === undefined ? given(current?.id, 'id') : readId(id),
    title: title === undefined ? given(current?.title, 'title') : readTitle(title),
    description:
      description === undefined ? (current?.description ?? '') : readMarkdown(description, maxDescriptionCharacters),
    bannerUrl: bannerUrl === undefined ? (current?.bannerUrl ?? null) : readAddress('bannerUrl', bannerUrl),
    nominationsOpenAt: readDate('nominationsOpenAt', input, current),
    nominationsCloseAt: readDate('nominationsCloseAt', input, current),
    votingOpensAt: readDate('votingOpensAt', input, current),
    votingClosesAt: readDate('votingClosesAt', input, current),
    publishAt:
      publishAt === undefined
        ? (current?.publishAt ?? null)
        : readInstant(publishAt, (reason) => fault('publishAt', reason)),
    rules: readRules(input.rules ?? {}, current?.rules ?? null),
  }
  const isMoved = (name: keyof Dates) => current?.[name]?.getTime() !== next[name]?.getTime()
  if (dateNames.some(isMoved)) checkDates(next)
  // The accounts that may vote must be fixed before voting opens. (awards: Details, 4)
  const isJudged = isMoved('votingOpensAt') || current?.rules.accountBefore !== next.rules.accountBefore
  if (isJudged && new Date(next.rules.accountBefore) > next.votingOpensAt) {
    throw invalid('award.dates_invalid', '`accountBefore` is after `votingOpensAt`; it may be the same at the latest.')
  }
  return next
}

function given<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw fault(name, 'is missing')
  return value
}

function readId(text: string): string {
  const id = text.toLowerCase()
  const reason = shortIdFault(id) ?? (reserved.has(id) ? 'is a reserved word' : null)
  if (reason !== null) throw fault('id', reason)
  return id
}

/**
 * Words that are paths of the awards' API and cannot be ids, in addition to those of all short ids. (awards: Records)
 */
const reserved: ReadonlySet<string> = new Set(['nominees'])

function readTitle(text: string): string {
  const title = readName(text)
  if (!title.ok) throw fault('title', title.reason)
  return title.value
}

/** Reads a web address. An empty one becomes null. */
export function readAddress(member: string, text: string | null): string | null {
  if (!text) return null
  const reason = webAddressFault(text)
  if (reason !== null) throw fault(member, reason)
  return text
}

function readDate(name: Exclude<keyof Dates, 'publishAt'>, input: EditionInput, current: Edition | null): Date {
  const text = input[name]
  if (text === undefined) return given(current?.[name], name)
  return given(readInstant(text, (reason) => fault(name, reason)) ?? undefined, name)
}

function readRules(input: RulesInput, current: EditionRules | null): EditionRules {
  const instant = (name: 'accountBefore' | 'linkBefore', text: string | null) =>
    formatInstant(readInstant(text, (reason) => fault(`rules.${name}`, reason)))
  const { accountBefore, linkBefore, ...rest } = input
  return {
    ...(current ?? defaultRules),
    ...rest,
    accountBefore: given(
      (accountBefore === undefined ? current?.accountBefore : instant('accountBefore', accountBefore)) ?? undefined,
      'rules.accountBefore',
    ),
    linkBefore: linkBefore === undefined ? (current?.linkBefore ?? null) : instant('linkBefore', linkBefore),
  }
}

export function fault(member: string, reason: string) {
  return invalid('award.invalid', `"${member}" ${reason}.`)
}

/**
 * The rules are fixed once voting has opened, so that votes are checked by the rules that the voters have read.
 * (awards: Operations)
 * @throws Problem `award.rules_fixed`
 */
export function checkRulesKept(before: Edition, after: Pick<Edition, 'rules'>): void {
  if (!hasReached(before, 'voting') || isDeepStrictEqual(before.rules, after.rules)) return
  throw conflict('award.rules_fixed', 'Voting has opened: the rules stay as they are.')
}

/** @throws Problem `award.stale` */
export function checkFresh({ updatedAt }: Pick<Edition, 'updatedAt'>, expected: string | undefined): void {
  if (expected === undefined) return
  const seen = readInstant(expected, (reason) => fault('expectedUpdatedAt', reason))
  if (seen?.getTime() === updatedAt.getTime()) return
  throw conflict('award.stale', 'Somebody has changed the edition since you read it; read it again.')
}
