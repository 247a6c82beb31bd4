import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import type { RegistrationState, TournamentWithParts } from '../../../../client/generated.ts'
import { useMay, useTournament, useTournamentId } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { saveCsv } from '../../parts/csv.ts'
import { Icon } from '../../parts/icon.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Rest } from '../../parts/more.tsx'
import { Instant } from '../../parts/time.tsx'
import { BulkActs } from './acts.tsx'
import { countOf, type Entry, filters, searchWith, shownBy, shownOf, useDesk } from './desk.ts'
import { Detail } from './detail.tsx'
import styles from './registration.module.css'
import { linesOf } from './sheet.ts'
import { DeskTable } from './table.tsx'

/** The registration desk: who has a place, who could have one, and the obstacles. */

const route = getRouteApi('/manage/$tournament/registration')

export function Registration() {
  const desk = useDesk()
  const tournament = useTournament()
  return (
    <div className="page wide stack">
      <Loaded
        of={{ ...desk, data: desk.data && tournament.data && { ...desk.data, tournament: tournament.data } }}
        rows={14}
        title={words('manage.registration')}
      >
        {(loaded) => <Desk {...loaded} />}
      </Loaded>
      <Rest of={desk.rest} />
    </div>
  )
}

interface DeskProps {
  readonly tournament: TournamentWithParts
  readonly registration: RegistrationState
  readonly teams: readonly Entry[]
}

function Desk({ tournament, registration, teams }: DeskProps) {
  const id = useTournamentId()
  const may = useMay()
  const search = route.useSearch()
  const by = shownBy(search)
  const shown = shownOf(teams, by)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const choose = useCallback(
    (guids: readonly string[], isChosen: boolean) =>
      setChosen((before) => {
        const after = new Set(before)
        for (const guid of guids) isChosen ? after.add(guid) : after.delete(guid)
        return after
      }),
    [],
  )
  const open = teams.find(({ team }) => team.id === search.team)
  const canAct = may('registration.qualify')
  // What is not shown is not acted on.
  const acted = shown.filter(({ team }) => chosen.has(team.guid))
  return (
    <>
      <div className={styles.head}>
        <div>
          <h1>{words('manage.registration')}</h1>
          <p className="muted">
            <Summary tournament={tournament} registration={registration} teams={teams} />
          </p>
        </div>
        <Capacity {...registration} />
        <div className="btns">
          <button
            type="button"
            className="btn"
            onClick={() => saveCsv(`${tournament.id}-registration`, linesOf(shown, tournament.additionalFields))}
          >
            <Icon name="download" />
            {words('desk.csv')}
          </button>
          {may('teams.import') && (
            <Link to="/manage/$tournament/registration/import" params={{ tournament: id }} className="btn">
              {words('desk.import')}
            </Link>
          )}
        </div>
      </div>
      <div className={styles.tools}>
        <Search q={search.q} />
        <div className="choices">
          {filters.map((filter) => (
            <Link
              key={filter}
              from="/manage/$tournament/registration"
              to="."
              search={(before) => searchWith(before, 'filter', filter === 'all' ? undefined : filter)}
              className="btn"
              aria-current={by.filter === filter ? 'true' : undefined}
              replace
              resetScroll={false}
            >
              {words(`desk.filter-${filter}` as WordId)} <span className={styles.count}>{countOf(teams, filter)}</span>
            </Link>
          ))}
        </div>
        {canAct && acted.length > 0 && (
          <BulkActs teams={acted} registration={registration} done={() => setChosen(new Set())} />
        )}
      </div>
      <div className={`${styles.split} ${open === undefined ? '' : styles.divided}`}>
        {shown.length === 0 ? (
          <Nothing isEmpty={teams.length === 0} />
        ) : (
          <DeskTable
            teams={shown}
            fields={tournament.additionalFields}
            sort={by.sort}
            open={open?.team.id}
            chosen={chosen}
            choose={choose}
            canAct={canAct}
          />
        )}
        {open !== undefined && (
          <Detail key={open.team.guid} entry={open} tournament={tournament} registration={registration} />
        )}
      </div>
    </>
  )
}

function Summary({ tournament: { timezone }, registration: { state, opensAt, closesAt }, teams }: DeskProps) {
  const at = state === 'not_open_yet' ? opensAt : closesAt
  return (
    <>
      {state === 'open' && at === null ? words('desk.state-open-ended') : words(`desk.state-${state}`)}
      {at !== null && (state === 'open' || state === 'closed' || state === 'not_open_yet') && (
        <>
          {' '}
          <Instant at={at} zone={timezone} />
        </>
      )}
      .{' '}
      {words('desk.summary', {
        teams: teams.length,
        qualified: teams.filter(({ status }) => status === 'qualified').length,
        blocked: countOf(teams, 'blocked'),
      })}
    </>
  )
}

function Capacity({ capacity, registered }: RegistrationState) {
  return (
    <div className={styles.capacity}>
      <p>
        <span>
          <strong>{registered}</strong>{' '}
          <span className="small muted">
            {capacity === null ? words('desk.no-limit') : words('desk.places', { capacity })}
          </span>
        </span>
        {capacity !== null && (
          <span className="small muted">{words('desk.left', { left: Math.max(0, capacity - registered) })}</span>
        )}
      </p>
      {capacity !== null && (
        <meter className={styles.meter} min={0} max={capacity} value={registered} aria-label={words('desk.taken')} />
      )}
    </div>
  )
}

function Search({ q }: { readonly q: string | undefined }) {
  const navigate = useNavigate({ from: '/manage/$tournament/registration' })
  const [text, setText] = useState(q ?? '')
  // The filters can be dropped elsewhere on the page.
  useEffect(() => {
    if (q === undefined) setText('')
  }, [q])
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <input
        className="in"
        type="search"
        value={text}
        maxLength={100}
        aria-label={words('desk.search')}
        placeholder={words('desk.search')}
        onChange={({ target }) => {
          setText(target.value)
          void navigate({
            search: (before) => searchWith(before, 'q', target.value.trim() || undefined),
            replace: true,
            resetScroll: false,
          })
        }}
      />
    </form>
  )
}

function Nothing({ isEmpty }: { readonly isEmpty: boolean }) {
  const may = useMay()
  const tournament = useTournamentId()
  if (!isEmpty) {
    return (
      <Empty>
        {words('desk.no-hit')}{' '}
        <Link to="/manage/$tournament/registration" params={{ tournament }} search={{}}>
          {words('teams.drop-filters')}
        </Link>
      </Empty>
    )
  }
  return (
    <Empty>
      {words('desk.empty')}{' '}
      {may('teams.import') && (
        <Link to="/manage/$tournament/registration/import" params={{ tournament }}>
          {words('desk.import-first')}
        </Link>
      )}
    </Empty>
  )
}
