import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { AuditEntry, TournamentWithParts } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { FollowedList } from '../../parts/followed-list.tsx'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import { type Difference, differencesOf, isGuid, nameOf, textOf } from '../said.ts'
import styles from './audit.module.css'
import { ClaimUndo, undoneIn } from './claim-undo.tsx'
import type { Search } from './filters.tsx'
import { happenedIn, kindsOf } from './happened.ts'
import { type Names, subjectOf } from './names.ts'
import { PutBack } from './put-back.tsx'

/** The log, newest first. */

interface Props {
  readonly tournament: TournamentWithParts
  readonly search: Search
  readonly names: Names
}

const day = /^\d{4}-\d\d-\d\d$/
const dayMs = 86_400_000

/** The beginning of a day as the reader's clocks show it; empty for what is no day. */
function startOf(text = '', later = 0): string {
  const at = day.test(text) ? new Date(`${text}T00:00`).getTime() : Number.NaN
  return Number.isNaN(at) ? '' : new Date(at + later).toISOString()
}

export function Entries({ tournament, search, names }: Props) {
  const id = useTournamentId()
  const { person, kind, subject, from, to } = search
  const asked = {
    actor: person ?? '',
    subject: subject ?? '',
    // Of one record everything is shown.
    kind: kind === undefined && subject !== undefined ? '' : kindsOf(kind),
    from: startOf(from),
    to: startOf(to, dayMs - 1),
  }
  const isFiltered = Object.keys(search).length > 0
  const at = address('/tournaments/{tournament}/audit', { tournament: id }, asked)
  return (
    <Section title={words('audit.changes')}>
      <FollowedList
        at={at}
        itemsOf={({ entries }) => entries}
        empty={words(isFiltered ? 'audit.none-such' : 'audit.none')}
        rows={10}
      >
        {(entries) => (
          <ol className="lines">
            {entries.map((entry) => (
              <Entry
                key={entry.seq}
                entry={entry}
                undone={undoneIn(entries)}
                tournament={tournament}
                search={search}
                names={names}
              />
            ))}
          </ol>
        )}
      </FollowedList>
    </Section>
  )
}

interface EntryProps extends Props {
  readonly entry: AuditEntry
  /** The claims that were taken back. */
  readonly undone: ReadonlySet<string>
}

/** What is said already, or by other entries. */
const told = [
  'number',
  'altered',
  'correctionGuid',
  'games',
  'position',
  'step',
  'hash',
  'revision',
  'commitment',
  'drawSeed',
]

/** A record that has no name here says nothing by its number. */
function isNameless({ before, after }: Omit<Difference, 'member'>, { nameOf: named }: Names): boolean {
  const isUnknown = (value: unknown) => isGuid(value) && named(value) === undefined
  return (before === null || isUnknown(before)) && (after === null || isUnknown(after))
}

function Entry({ entry, undone, tournament, search, names }: EntryProps) {
  const { at, type, subject, actor, simulated, before, after } = entry
  const id = useTournamentId()
  const name = subjectOf(entry, names)
  const differences = useMemo(
    () =>
      differencesOf(before, after).filter(
        ({ member, ...values }) => !told.includes(member.split('.')[0] ?? '') && !isNameless(values, names),
      ),
    [before, after, names],
  )
  // Who did it has been named.
  const hasOwnName = subject !== null && subject !== tournament.guid && subject !== actor?.guid
  return (
    <li className={styles.entry}>
      <p className={styles.when}>
        <Instant at={at} />
      </p>
      <p className={styles.what}>
        {actor === null ? (
          <span className="muted">{words('audit.service')}</span>
        ) : (
          <Link
            to="/manage/$tournament/audit"
            params={{ tournament: id }}
            search={{ ...search, person: actor.guid }}
            className="plain"
            resetScroll={false}
            title={words('audit.only-person', { name: actor.preferredName })}
          >
            <bdi>{actor.preferredName}</bdi>
          </Link>
        )}{' '}
        <strong>{happenedIn(type)}</strong>
        {simulated === true && <span className="muted"> {words('audit.simulated')}</span>}
        {hasOwnName && (
          <>
            {': '}
            <Link
              to="/manage/$tournament/audit"
              params={{ tournament: id }}
              search={{ ...search, subject }}
              className="plain"
              resetScroll={false}
              title={words('audit.only-this')}
            >
              <bdi>{name ?? words('audit.one-record')}</bdi>
            </Link>
          </>
        )}
      </p>
      <div className={styles.change}>
        <Differences of={differences} zone={tournament.timezone} names={names} />
      </div>
      <div className={styles.act}>
        {type === 'tournament.updated' && <PutBack entry={entry} tournament={tournament} names={names} />}
        {type === 'claim.made' && <ClaimUndo entry={entry} undone={undone} />}
      </div>
    </li>
  )
}

interface DifferencesProps {
  readonly of: readonly Difference[]
  readonly zone: string
  readonly names: Names
}

const shownAtOnce = 4

function Differences({ of, zone, names }: DifferencesProps) {
  if (of.length === 0) return null
  const more = of.slice(shownAtOnce)
  return (
    <>
      <Values of={of.slice(0, shownAtOnce)} zone={zone} names={names} />
      {more.length > 0 && (
        <details>
          <summary className="small muted">{words('audit.more', { count: more.length })}</summary>
          <Values of={more} zone={zone} names={names} />
        </details>
      )}
    </>
  )
}

/** Before and after; what is longer opens when it is asked for. */
export function Values({ of, zone, names }: DifferencesProps) {
  return (
    <dl className={styles.values}>
      {of.map(({ member, before, after }) => (
        <div key={member}>
          <dt className="muted">{nameOf(member)}</dt>
          <dd>
            {before !== null && (
              <>
                <del>
                  <Value text={textOf(before, zone, names.nameOf)} />
                </del>{' '}
                <span aria-hidden="true">→</span>{' '}
              </>
            )}
            <ins>
              <Value text={textOf(after, zone, names.nameOf)} />
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const shortCharacters = 140

function Value({ text }: { readonly text: string }) {
  if (text.length <= shortCharacters) return <bdi>{text}</bdi>
  return (
    <details className={styles.long}>
      <summary>
        <bdi>{text.slice(0, shortCharacters)}…</bdi>
      </summary>
      <bdi>{text}</bdi>
    </details>
  )
}
