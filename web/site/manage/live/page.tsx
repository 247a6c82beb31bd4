import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { FlowState, Match, TournamentWithParts } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useKnown } from '../../data/known.ts'
import { useRead, useReader } from '../../data/queries.ts'
import { staffAddress, useDivisions, useMatchCodes, useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useActKeys } from '../../parts/act-keys.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Unsent } from '../../parts/reports/unsent.tsx'
import { useRoundNames } from '../../parts/rounds.ts'
import { isSameZone, ownZone, timeOf, useClock, useNow, zoneOf } from '../../parts/time.tsx'
import { Aside } from './aside.tsx'
import { flowAddress, groups, inGroups, isAt, liveAddress, soonest, useChannels, useNext } from './console.ts'
import { Finished, Over } from './finished.tsx'
import styles from './live.module.css'
import { MatchGroup } from './match-group.tsx'
import { problemsOf } from './problems.ts'
import { Problems } from './problems.tsx'

/** The console of match day: problems first, then all matches by their state, with what can be done to each. */

const route = getRouteApi('/manage/$tournament/live')

export function LiveConsole() {
  const tournament = useTournament()
  return (
    <div className="page wide stack">
      <Loaded of={tournament} rows={14} title={words('manage.live')}>
        {(record) => <OfTournament tournament={record} />}
      </Loaded>
    </div>
  )
}

function OfTournament({ tournament }: { readonly tournament: TournamentWithParts }) {
  const { id } = tournament
  const clock = useClock()
  const from = useMemo(clock, [clock])
  const running = useRead(liveAddress(id, 'running'), { live: true })
  const ready = useRead(liveAddress(id, 'ready'), { live: true })
  const next = useNext(id, from, guidsOf([running, ready]))
  const pages = [running, ready, next].flatMap(({ data }) => data ?? [])
  const isSoon = ({ status, scheduledAt }: Match) =>
    status === 'ready' || status === 'running' || scheduledAt === null || scheduledAt <= soonest(from)
  const all = pages.length === 3 ? once(pages.flatMap(({ matches }) => matches)).filter(isSoon) : undefined
  const failed = [running, ready, next].find(({ error }) => error !== null)
  return (
    <Loaded of={{ ...(failed ?? running), data: all }} rows={12} title={words('manage.live')}>
      {(matches) => (
        <Console tournament={tournament} all={matches} isCut={pages.some(({ nextCursor }) => nextCursor !== null)} />
      )}
    </Loaded>
  )
}

/** Each match once: while one list has been read again and another has not, a match may be in both. */
const once = (matches: readonly Match[]) =>
  [...new Map(matches.toReversed().map((match) => [match.guid, match])).values()].toReversed()

/** As one text, to compare. */
const guidsOf = (reads: readonly { readonly data: { readonly matches: readonly Match[] } | undefined }[]) =>
  reads.flatMap(({ data }) => data?.matches.map(({ guid }) => guid) ?? []).join()

/** Always the same, so that nothing is drawn anew for it. */
const nobody: readonly never[] = []

interface ConsoleProps {
  readonly tournament: TournamentWithParts
  readonly all: readonly Match[]
  /** There are more matches than a page of the service holds. */
  readonly isCut: boolean
}

function Console({ tournament, all, isCut }: ConsoleProps) {
  const { id, timezone } = tournament
  const time = useNow(10_000)
  const place = useRef<HTMLDivElement>(null)
  useActKeys(place, { within: '[data-chosen]', other: stepByKey })
  const search = route.useSearch()
  const { user } = useReader()
  const matches = all.filter(
    (match) =>
      (search.division === undefined || match.division === search.division) &&
      (search.official !== 'me' || (user != null && isAt(match, user.guid))),
  )
  const staff = useRead(staffAddress(id), { live: true }).data ?? nobody
  const referees = staff.find(({ role }) => role === 'role:referee')?.users ?? nobody
  const streams = useRead(address('/tournaments/{tournament}/streams', { tournament: id }), { live: true }).data
  const { channels } = useChannels(id)
  const running = all.filter(({ status }) => status === 'running')
  const states = useKnown(running.map(({ guid }) => flowAddress(id, guid)))
  const flows = useMemo(
    () =>
      new Map(running.flatMap(({ guid }, at) => (states[at] === undefined ? [] : [[guid, states[at] as FlowState]]))),
    [running, states],
  )
  const problems = problemsOf({
    matches,
    flows,
    channels,
    streams: streams?.streams ?? [],
    needsReferees: referees.length > 0,
    time,
  })
  const grouped = inGroups(matches, time)
  const [chosen, setChosen] = useState<string | null>(null)
  const choose = useCallback((guid: string) => setChosen((before) => (before === guid ? null : guid)), [])
  const roundOf = useRoundNames()
  const codeOf = useMatchCodes()
  const shared = { tournament, channels, flows, staff, chosen, choose, time, roundOf, codeOf }
  return (
    <>
      {running.map(({ guid }) => (
        <Followed key={guid} tournament={id} match={guid} />
      ))}
      <div className="title">
        <div>
          <h1 data-title={`${words('manage.live')} · ${tournament.name}`}>{words('manage.live')}</h1>
          <p>
            {words('live.clock', {
              time: timeOf(new Date(time).toISOString(), timezone),
              zone: zoneOf(timezone, time),
            })}
            {!isSameZone(timezone, ownZone, time) && (
              <> {words('live.own-clock', { time: timeOf(new Date(time).toISOString()) })}</>
            )}{' '}
            {words('live.numbers', {
              running: grouped.running.length,
              late: grouped.late.length,
              ready: grouped.ready.length,
              waiting: grouped.waiting.length,
            })}
          </p>
        </div>
        <Filters />
      </div>
      <div ref={place} className="stack">
        <Unsent />
        <Problems problems={problems} tournament={tournament} flows={flows} staff={staff} choose={setChosen} />
        <div className={styles.split}>
          <div className="stack">
            {matches.length === 0 &&
              (all.length === 0 ? <Over tournament={tournament} /> : <Empty>{words('live.nothing-shown')}</Empty>)}
            {isCut && (
              <p className="notice">
                <span className="push">{words('live.cut')}</span>
                <Link to="/t/$tournament/schedule" params={{ tournament: id }}>
                  {words('tournament.schedule')}
                </Link>
              </p>
            )}
            {groups.map((group) => (
              <MatchGroup key={group} group={group} matches={grouped[group]} {...shared} />
            ))}
          </div>
          <div className="stack">
            <Aside tournament={tournament} channels={channels} matches={all} referees={referees} />
            <Finished tournament={tournament} division={search.division} open={all.map(({ guid }) => guid).join()} />
          </div>
        </div>
      </div>
    </>
  )
}

/** J and K choose the next match and the one before, and bring it into view with the focus. */
function stepByKey(key: string, root: HTMLElement): boolean {
  if (key !== 'j' && key !== 'k') return false
  const heads = [...root.querySelectorAll<HTMLElement>('[data-match]')]
  const at = heads.findIndex((head) => head.getAttribute('aria-expanded') === 'true')
  const next = at === -1 ? heads.at(key === 'j' ? 0 : -1) : heads[at + (key === 'j' ? 1 : -1)]
  if (next !== undefined && next !== heads[at]) {
    next.click()
    next.focus()
  }
  return true
}

/** Follows the session of a running match; the console reads what it brings. */
function Followed({ tournament, match }: { readonly tournament: string; readonly match: string }) {
  useRead(flowAddress(tournament, match), { live: true })
  return null
}

function Filters() {
  const divisions = useDivisions().data ?? []
  const navigate = useNavigate({ from: '/manage/$tournament/live' })
  const search = route.useSearch()
  const set = (name: 'division' | 'official', value: string) =>
    void navigate({
      search: ({ [name]: _before, ...others }) => (value === '' ? others : { ...others, [name]: value }),
      replace: true,
      resetScroll: false,
    })
  return (
    <div className={`btns ${styles.filters}`}>
      {divisions.length > 1 && (
        <select
          className="in"
          aria-label={words('live.division')}
          value={search.division ?? ''}
          onChange={({ target }) => set('division', target.value)}
        >
          <option value="">{words('live.all-divisions')}</option>
          {divisions.map(({ guid, name }) => (
            <option key={guid} value={guid}>
              {name}
            </option>
          ))}
        </select>
      )}
      <select
        className="in"
        aria-label={words('live.officials')}
        value={search.official ?? ''}
        onChange={({ target }) => set('official', target.value)}
      >
        <option value="">{words('live.all-matches')}</option>
        <option value="me">{words('live.mine')}</option>
      </select>
    </div>
  )
}
