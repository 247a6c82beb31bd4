// biome-ignore-all lint/a11y/noRedundantRoles: some browsers forget them where the layout is not that of a table
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { AdditionalField } from '../../../../client/generated.ts'
import { type WordId, words } from '../../data/words.ts'
import { Changed } from '../../parts/changed.tsx'
import { State } from '../../parts/state.tsx'
import { TeamName } from '../../parts/team.tsx'
import { Ago } from '../../parts/time.tsx'
import { answersOf, type Entry, type Sorting, searchWith } from './desk.ts'
import styles from './registration.module.css'
import { verdictOf } from './verdict.ts'

/** The table of the desk: a line for each team, its name opens it. */

interface TableProps {
  readonly teams: readonly Entry[]
  readonly fields: readonly AdditionalField[]
  readonly sort: Sorting
  /** The short id of the team that is open. */
  readonly open: string | undefined
  readonly chosen: ReadonlySet<string>
  readonly choose: (guids: readonly string[], isChosen: boolean) => void
  /** Whether the reader may do something with several teams. */
  readonly canAct: boolean
}

export function DeskTable({ teams, fields, sort, open, chosen, choose, canAct }: TableProps) {
  const isAll = teams.length > 0 && teams.every(({ team }) => chosen.has(team.guid))
  const isSome = teams.some(({ team }) => chosen.has(team.guid))
  return (
    <table
      role="table"
      className={`table ${styles.table} ${canAct ? styles.withBoxes : ''} ${fields.length > 0 ? styles.withAnswers : ''}`}
    >
      <thead role="rowgroup">
        <tr role="row">
          {canAct && (
            <th role="columnheader" scope="col" className={styles.box}>
              <label>
                <input
                  type="checkbox"
                  aria-label={words('desk.choose-all')}
                  checked={isAll}
                  ref={(box) => {
                    if (box !== null) box.indeterminate = isSome && !isAll
                  }}
                  onChange={() =>
                    choose(
                      teams.map(({ team }) => team.guid),
                      !isAll,
                    )
                  }
                />
              </label>
            </th>
          )}
          <Head of="team" sort={sort} word="desk.team" />
          <Head of="place" sort={sort} word="desk.status" />
          <Head of="players" sort={sort} word="desk.players" className="n only-wide" />
          {fields.length > 0 && (
            <th role="columnheader" scope="col" className="n only-wide">
              {words('desk.answers')}
            </th>
          )}
          <Head of="eligible" sort={sort} word="desk.eligible" />
          <th role="columnheader" scope="col" className={styles.side}>
            {words('desk.captain')}
          </th>
          <th role="columnheader" scope="col" className={styles.side}>
            {words('desk.note')}
          </th>
        </tr>
      </thead>
      {blocksOf(teams).map(([first, block]) => (
        <tbody key={first} role="rowgroup">
          {block.map((entry) => (
            <Row
              key={entry.team.guid}
              entry={entry}
              fields={fields}
              isOpen={open === entry.team.id}
              isChosen={chosen.has(entry.team.guid)}
              choose={choose}
              canAct={canAct}
            />
          ))}
        </tbody>
      ))}
    </table>
  )
}

/** Lines are laid out and painted in blocks; search and screen readers have all of them. */
const blockSize = 10

const blocksOf = (teams: readonly Entry[]) =>
  Array.from(
    { length: Math.ceil(teams.length / blockSize) },
    (_, at) => [at, teams.slice(at * blockSize, (at + 1) * blockSize)] as const,
  )

interface HeadProps {
  readonly of: Sorting
  readonly sort: Sorting
  readonly word: WordId
  readonly className?: string
}

function Head({ of, sort, word, className }: HeadProps) {
  return (
    <th role="columnheader" scope="col" className={className} {...(sort === of && { 'aria-sort': 'ascending' })}>
      <Link
        from="/manage/$tournament/registration"
        to="."
        search={(search) => searchWith(search, 'sort', of === 'place' ? undefined : of)}
        className="plain"
        replace
        resetScroll={false}
      >
        {words(word)}
        <span aria-hidden="true">{sort === of ? '\u00A0↑' : ''}</span>
      </Link>
    </th>
  )
}

interface RowProps {
  readonly entry: Entry
  readonly fields: readonly AdditionalField[]
  readonly isOpen: boolean
  readonly isChosen: boolean
  readonly choose: TableProps['choose']
  readonly canAct: boolean
}

/**
 * Hundreds of lines: those that are as before are not drawn again. What is positioned or clipped is a layer of its own,
 * painted anew while the table is scrolled; so names of boxes are attributes.
 */
const Row = memo(function Row({ entry, fields, isOpen, isChosen, choose, canAct }: RowProps) {
  const { team, members, note } = entry
  const { given, asked } = answersOf(entry, fields)
  const captain = members.find(({ isCaptain }) => isCaptain)
  return (
    <tr role="row" className={isOpen ? styles.open : isChosen ? styles.chosen : ''}>
      {canAct && (
        <td role="cell" className={styles.box}>
          <label>
            <input
              type="checkbox"
              aria-label={words('desk.choose', { name: team.name })}
              checked={isChosen}
              onChange={() => choose([team.guid], !isChosen)}
            />
          </label>
        </td>
      )}
      <th role="rowheader" scope="row" className={styles.team}>
        <Link
          from="/manage/$tournament/registration"
          to="."
          search={(search) => searchWith(search, 'team', team.id)}
          className="plain"
          resetScroll={false}
          {...(isOpen && { 'aria-current': 'true' })}
        >
          <TeamName team={team} />
        </Link>
      </th>
      <td role="cell" className={styles.place}>
        <Changed of={statusWords(entry)}>
          <PlaceState entry={entry} />
        </Changed>
      </td>
      <td role="cell" className="n only-wide">
        {members.length}
      </td>
      {fields.length > 0 && (
        <td role="cell" className="n only-wide">
          {words('desk.of', { given, asked })}
        </td>
      )}
      <td role="cell">
        <Verdict entry={entry} />
      </td>
      <td role="cell" className={styles.side}>
        <bdi>{captain?.name ?? '–'}</bdi>
      </td>
      <td role="cell" className={`muted ${styles.side} ${styles.note}`}>
        <bdi>{note}</bdi>
      </td>
    </tr>
  )
})

/** The status of a team with its seed, in words. */
function statusWords({ status, seed, withdrawnAt }: Entry): string {
  if (withdrawnAt !== null) return words('desk.withdrawn')
  if (status === 'qualified' && seed !== null) return words('desk.qualified-seed', { seed })
  return words(`desk.${status}`)
}

const shapes = { qualified: 'done', registered: 'ready', unregistered: 'waiting' } as const

export function PlaceState({ entry }: { readonly entry: Entry }) {
  return (
    <State shape={entry.withdrawnAt === null ? shapes[entry.status] : 'off'} tone="quiet">
      {statusWords(entry)}
    </State>
  )
}

/** The worst obstacle, and how many more there are. */
function Verdict({ entry }: { readonly entry: Entry }) {
  const [worst, ...others] = verdictOf(entry)
  if (worst !== undefined) {
    return (
      <span className={styles.verdict}>
        {worst.tone === 'quiet' ? (
          <State shape="waiting" tone="quiet">
            {worst.text}
          </State>
        ) : (
          <State shape="problem" tone={worst.tone}>
            {worst.text}
          </State>
        )}
        {others.length > 0 && <span className="small muted">{words('desk.and-more', { count: others.length })}</span>}
      </span>
    )
  }
  if (entry.changedAt !== null) {
    return (
      <span className={styles.verdict}>
        <State shape="problem" tone="warning">
          {words('desk.changed')}
        </State>
        <span className="small muted">
          <Ago at={entry.changedAt} />
        </span>
      </span>
    )
  }
  return <>{words('desk.yes')}</>
}
