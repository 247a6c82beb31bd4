import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { divisionIds, useDivisions, useTournament, useTournamentId } from '../data/tournament.ts'
import { type WordId, words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Board, Boards } from '../parts/match.tsx'
import { Rest } from '../parts/more.tsx'
import { PrintButton, Printed } from '../parts/print.tsx'
import { useRoundNames } from '../parts/rounds.ts'
import { Section } from '../parts/section.tsx'
import { SpoilerSwitch, useSpoilers } from '../parts/spoilers.tsx'
import { ownZone } from '../parts/time.tsx'
import { byDay, byRound, useMatchList, useRunning } from './match-list.ts'
import styles from './matches.module.css'
import { PlanTable } from './plan-table.tsx'

/** All matches of the tournament, by day or by round; filters stand in the address. */

const route = getRouteApi('/t/$tournament/matches')
const statuses: readonly (readonly [string | undefined, WordId])[] = [
  [undefined, 'matches.all'],
  ['running,ready', 'matches.open'],
  ['completed', 'matches.over'],
]
type Search = ReturnType<typeof route.useSearch>

const changed = (search: Search, change: { readonly [Name in keyof Search]?: string | undefined }): Search =>
  Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined))

export function Matches() {
  const tournament = useTournamentId()
  const search = route.useSearch()
  const { team, status, official, by } = search
  const whole = useTournament().data
  const isHidden = useSpoilers(whole?.guid)
  const ids = divisionIds(useDivisions().data)
  const list = useMatchList(tournament, {
    ...(team && { team }),
    ...(status && { status }),
    ...(official && { official }),
  })
  const roundOf = useRoundNames()
  const isFiltered = team !== undefined || status !== undefined || official !== undefined
  return (
    <Printed name={whole?.name} className="page stack in-order">
      <div className="title">
        <h1>{words('tournament.matches')}</h1>
        <div className="btns no-print">
          <PrintButton isSmall list={list} />
          <SpoilerSwitch tournament={whole?.guid} />
          <a className="btn" href={`/api/tournaments/${encodeURIComponent(tournament)}/calendar.ics`}>
            {words('tournament.calendar')}
          </a>
        </div>
      </div>
      <Filters tournament={tournament} search={search} />
      {!isFiltered && <Live tournament={tournament} divisions={ids} isHidden={isHidden} />}
      <Loaded of={list} rows={12}>
        {(found) =>
          found.length === 0 ? (
            <Empty>
              {words(isFiltered ? 'matches.no-hit' : 'matches.none')}{' '}
              {isFiltered && (
                <Link to="/t/$tournament/matches" params={{ tournament }} search={by ? { by } : {}}>
                  {words('matches.drop-filters')}
                </Link>
              )}
            </Empty>
          ) : (
            (by === 'round' ? byRound(found, roundOf) : byDay(found, ownZone, roundOf)).map(([name, matches]) => (
              <Section
                key={name}
                title={name}
                beside={<span className="muted">{words('matches.count', { count: matches.length })}</span>}
              >
                <PlanTable
                  caption={name}
                  matches={matches}
                  tournament={tournament}
                  divisions={ids}
                  zone={whole?.timezone ?? ownZone}
                  isHidden={isHidden}
                  hasDay={by === 'round'}
                  hasRound={by !== 'round'}
                />
              </Section>
            ))
          )
        }
      </Loaded>
      <Rest of={list.rest} />
    </Printed>
  )
}

interface LiveProps {
  readonly tournament: string
  readonly divisions: ReadonlyMap<string, string>
  readonly isHidden: boolean
}

function Live({ tournament, divisions, isHidden }: LiveProps) {
  const roundOf = useRoundNames()
  const live = useRunning(tournament).data?.matches ?? []
  if (live.length === 0) return null
  return (
    <Section title={words('home.live')}>
      <Boards>
        {live.map((match) => (
          <Board
            key={match.guid}
            match={match}
            tournament={tournament}
            division={divisions.get(match.division) ?? match.division}
            context={roundOf(match)}
            isHidden={isHidden}
          />
        ))}
      </Boards>
    </Section>
  )
}

interface FiltersProps {
  readonly tournament: string
  readonly search: Search
}

function Filters({ tournament, search }: FiltersProps) {
  const { team, status, official, by } = search
  return (
    <div className={`${styles.filters} no-print`}>
      <div className="choices">
        {statuses.map(([value, word]) => (
          <Choice
            key={word}
            tournament={tournament}
            search={changed(search, { status: value })}
            isChosen={status === value}
          >
            {words(word)}
          </Choice>
        ))}
      </div>
      <div className="choices">
        <Choice tournament={tournament} search={changed(search, { by: undefined })} isChosen={by !== 'round'}>
          {words('matches.by-day')}
        </Choice>
        <Choice tournament={tournament} search={changed(search, { by: 'round' })} isChosen={by === 'round'}>
          {words('matches.by-round')}
        </Choice>
      </div>
      <TeamFilter tournament={tournament} search={search} chosen={team} />
      <OfficialFilter tournament={tournament} search={search} chosen={official} />
    </div>
  )
}

function Choice({
  tournament,
  search,
  isChosen,
  children,
}: FiltersProps & { readonly isChosen: boolean; readonly children: string }) {
  return (
    <Link
      to="/t/$tournament/matches"
      params={{ tournament }}
      search={search}
      className="btn"
      aria-current={isChosen ? 'true' : undefined}
      activeOptions={{ exact: true, includeSearch: true }}
      replace
      resetScroll={false}
    >
      {children}
    </Link>
  )
}

interface SelectProps {
  readonly label: string
  readonly all: string
  readonly chosen: string | undefined
  readonly options: readonly (readonly [value: string, name: string])[]
  readonly choose: (value: string | undefined) => void
  /** What is below waits, because it may have to go. */
  readonly isLoading?: boolean
}

function Select({ label, all, chosen, options, choose, isLoading = false }: SelectProps) {
  const id = useId()
  // An address may name somebody in another way, or somebody who is on no list.
  const isKnown = chosen === undefined || options.some(([value]) => value === chosen)
  return (
    <div className={styles.select} aria-busy={isLoading}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="in"
        value={chosen ?? ''}
        onChange={({ target }) => choose(target.value === '' ? undefined : target.value)}
      >
        <option value="">{all}</option>
        {!isKnown && <option value={chosen}>{chosen}</option>}
        {options.map(([value, name]) => (
          <option key={value} value={value} dir="auto">
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

const byName = (one: readonly [string, string], other: readonly [string, string]) => one[1].localeCompare(other[1])

interface FilterProps extends FiltersProps {
  readonly chosen: string | undefined
}

function TeamFilter({ tournament, search, chosen }: FilterProps) {
  const navigate = useNavigate({ from: '/t/$tournament/matches' })
  const teams = useRead(
    address('/tournaments/{tournament}/teams', { tournament }, { status: 'registered,qualified', limit: 100 }),
  ).data?.teams
  return (
    <Select
      label={words('standings.team')}
      all={words('matches.all-teams')}
      chosen={chosen}
      options={(teams ?? []).map(({ id, name }) => [id, name] as const).toSorted(byName)}
      choose={(team) => void navigate({ search: changed(search, { team }), replace: true, resetScroll: false })}
    />
  )
}

/** Whose matches: of those who may work at one. */
const working = ['role:referee', 'role:caster', 'role:hcaster', 'role:host', 'role:coordinator', 'role:hcoordinator']

function OfficialFilter({ tournament, search, chosen }: FilterProps) {
  const navigate = useNavigate({ from: '/t/$tournament/matches' })
  const { data: groups, isPending } = useRead(address('/tournaments/{tournament}/staff', { tournament }))
  const people = new Map(
    (groups ?? [])
      .filter(({ role }) => working.includes(role))
      .flatMap(({ users }) => users.map(({ guid, preferredName }) => [guid, preferredName] as const)),
  )
  if (!isPending && people.size === 0 && chosen === undefined) return null
  return (
    <Select
      isLoading={isPending}
      label={words('matches.official')}
      all={words('matches.all-officials')}
      chosen={chosen}
      options={[...people].toSorted(byName)}
      choose={(official) => void navigate({ search: changed(search, { official }), replace: true, resetScroll: false })}
    />
  )
}
