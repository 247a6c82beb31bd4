import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import type { Match } from '../../../../client/generated.ts'
import { usePins } from '../../data/pins.ts'
import { useMay, useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useForm } from '../../parts/form/use-form.ts'
import { Blocks, Empty, Loaded } from '../../parts/loaded.tsx'
import { Printed } from '../../parts/print.tsx'
import { Section } from '../../parts/section.tsx'
import { ShownZone } from '../../parts/time.tsx'
import { isOpen } from '../matches.ts'
import { Asking } from './asking.tsx'
import { allClashes } from './clashes.ts'
import { type Day, daysOf } from './days.ts'
import { Estimate } from './estimate.tsx'
import { Grid, type Mover, type ShownPlan } from './grid.tsx'
import { Head } from './head.tsx'
import { List } from './list.tsx'
import { MatchDetail } from './match-detail.tsx'
import { type Intent, type Place, placeOf } from './move-form.tsx'
import { type Plan, usePlan } from './plan.ts'
import { Problems } from './problems.tsx'
import { ProposalPart } from './proposal.tsx'
import styles from './schedule.module.css'
import { from, route, searchWith } from './search.ts'
import { NoMatches, Untimed } from './untimed.tsx'

/** When the matches are: those without a time, the days by channel, and what would fit. */

export interface RuleValues {
  readonly minutes: number | null
  readonly rest: number | null
}

const usual: RuleValues = { minutes: 60, rest: 0 }
const minMinutes = 15

export function Schedule() {
  const tournament = useTournament().data
  const form = useForm({ key: `plan-${tournament?.guid}`, saved: usual })
  const { minutes, rest } = form.values
  const { plan, sheets } = usePlan({ minutes: Math.max(minutes ?? 60, minMinutes), rest: rest ?? 0 })
  return (
    <Printed name={tournament?.name} className="page wide stack">
      <Loaded of={plan} rows={16} title={words('manage.schedule')}>
        {(found) => (
          <ShownZone value={found.zone}>
            <Head plan={found} form={form} />
            <Parts
              plan={found}
              tournament={tournament?.guid ?? ''}
              sheets={sheets.data?.sheets ?? (sheets.error === null ? null : [])}
            />
          </ShownZone>
        )}
      </Loaded>
    </Printed>
  )
}

interface PartsProps {
  readonly plan: Plan
  readonly tournament: string
  /** null while they are not read. */
  readonly sheets: Parameters<typeof Asking>[0]['sheets'] | null
}

function Parts({ plan, tournament, sheets }: PartsProps) {
  const search = route.useSearch()
  const may = useMay()
  const pins = usePins(tournament)
  const match = search.match === undefined ? undefined : plan.byGuid.get(search.match)
  const [place, setPlace] = useState<Place | null>(null)
  const { intent, used, mover } = useMover(plan)
  const moved = useMemo(() => withMove(plan, match, place), [plan, match, place])
  const clashes = useMemo(() => allClashes(moved), [moved])
  const canMove = may('matches.update')
  const shown: ShownPlan = {
    plan: moved,
    clashes,
    isPinned: pins.has,
    open: match?.guid,
    isMoved: place !== null,
    mover: canMove ? mover : null,
  }
  const isAsking = search.proposal !== undefined && may('schedules.propose')
  const main = isAsking ? (
    search.proposal === 'new' ? (
      sheets === null ? (
        <Blocks rows={10} />
      ) : (
        <Asking plan={plan} sheets={sheets} pins={pins} />
      )
    ) : (
      <ProposalPart plan={plan} guid={search.proposal ?? ''} pins={pins} />
    )
  ) : (
    <>
      <Problems shown={shown} />
      <Untimed
        matches={plan.matches.filter((each) => isOpen(each) && each.scheduledAt === null)}
        open={match?.guid}
        roundOf={plan.roundOf}
        codeOf={plan.codeOf}
      />
      <Days shown={shown} isList={search.view === 'list'} />
      {may('estimates.make') && <Estimate plan={plan} />}
    </>
  )
  return (
    <div className={`${styles.split} ${match === undefined ? '' : styles.divided}`}>
      <div className="stack">{main}</div>
      {match !== undefined && (
        <MatchDetail
          key={match.guid}
          match={match}
          plan={plan}
          intent={intent}
          used={used}
          show={setPlace}
          take={(at) => mover.set(match.guid, (before) => ({ ...before, scheduledAt: new Date(at).toISOString() }))}
          isPinned={pins.has(match.guid)}
          pin={(isPinned) => pins.set([match.guid], isPinned)}
        />
      )}
    </div>
  )
}

function Days({ shown, isList }: { readonly shown: ShownPlan; readonly isList: boolean }) {
  const { plan } = shown
  const days = daysOf(
    plan.matches.filter(({ status }) => status !== 'cancelled'),
    plan.zone,
  )
  if (plan.matches.length === 0) return <NoMatches />
  if (days.length === 0) return <Empty>{words('schedule.none')}</Empty>
  return days.map((day) => (
    <Section
      key={day.day}
      title={day.day}
      beside={<span className="muted">{words('plan.matches', { count: day.matches.length })}</span>}
    >
      {!isList && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys where it is wider than the page
        <section className={`wide-content ${styles.asGrid}`} tabIndex={0} aria-label={gridName(day)}>
          <Grid day={day} shown={shown} />
        </section>
      )}
      <div className={isList ? '' : styles.asList}>
        <List day={day} shown={shown} />
      </div>
    </Section>
  ))
}

const gridName = ({ day }: Day) => words('plan.grid-of', { day })

/** The plan with the open match where it would be. */
function withMove(plan: Plan, match: Match | undefined, place: Place | null): Plan {
  if (match === undefined || place === null) return plan
  const { scheduledAt, streamUrl } = place
  const there = { ...match, scheduledAt, streamUrl: streamUrl === '' ? null : streamUrl }
  const matches = plan.matches.map((each) => (each.guid === match.guid ? there : each))
  return { ...plan, matches, byGuid: new Map(matches.map((each) => [each.guid, each])) }
}

interface Setter extends Mover {
  readonly set: (guid: string, change: Intent['change']) => void
}

/** Moves by drag and by keys: they fill in the fields of the match, which opens. */
function useMover(plan: Plan): { readonly intent: Intent | null; readonly used: () => void; readonly mover: Setter } {
  const navigate = useNavigate({ from })
  const [intent, setIntent] = useState<Intent | null>(null)
  const used = useCallback(() => setIntent(null), [])
  const set = useCallback(
    (guid: string, change: Intent['change']) => {
      setIntent({ guid, change })
      void navigate({
        to: '.',
        search: (search: object) => searchWith(search, 'match', guid),
        replace: true,
        resetScroll: false,
      })
    },
    [navigate],
  )
  const urls = [...plan.channels.map(({ url }) => url), '']
  const mover: Setter = {
    set,
    place: (guid, at, stream) =>
      set(guid, () => ({ scheduledAt: new Date(at).toISOString(), streamUrl: stream ?? '' })),
    nudge(guid, minutes, columns) {
      const match = plan.byGuid.get(guid)
      if (match === undefined || !isOpen(match)) return
      set(guid, (before) => {
        const at = before.scheduledAt ?? placeOf(match).scheduledAt
        const column = urls.includes(before.streamUrl) ? urls.indexOf(before.streamUrl) : urls.length - 1
        const next = Math.min(Math.max(column + columns, 0), urls.length - 1)
        return {
          scheduledAt: at === null ? null : new Date(Date.parse(at) + minutes * 60_000).toISOString(),
          streamUrl: columns === 0 ? before.streamUrl : (urls[next] ?? ''),
        }
      })
    },
  }
  return { intent, used, mover }
}
