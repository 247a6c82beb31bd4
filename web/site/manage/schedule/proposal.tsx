import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { ApiError } from '../../data/api.ts'
import type { ScheduleProposal } from '../../data/generated.ts'
import type { Pins } from '../../data/pins.ts'
import { useRead } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { say } from '../../parts/announcer.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { dayOf } from '../../parts/time.tsx'
import { useRenewMatches } from '../matches.ts'
import { proposalAddress } from './asking.tsx'
import type { Plan } from './plan.ts'
import { clashesWith } from './proposed.ts'
import { ProposedTable } from './proposed-table.tsx'
import styles from './schedule.module.css'
import { from, searchWith } from './search.ts'
import { Unplaced } from './unplaced.tsx'

/** A proposal: each time with its reasons, what found none and why, and what is taken of it. */

interface Props {
  readonly plan: Plan
  readonly guid: string
  readonly pins: Pins
}

export function ProposalPart({ guid, ...props }: Props) {
  const read = useRead(proposalAddress(useTournamentId(), guid))
  return (
    <Loaded of={read} rows={12}>
      {(proposal) => <Proposal key={guid} proposal={proposal} {...props} />}
    </Loaded>
  )
}

interface ProposalProps extends Omit<Props, 'guid'> {
  readonly proposal: ScheduleProposal
}

function Proposal({ proposal, plan, pins }: ProposalProps) {
  const tournament = useTournamentId()
  const navigate = useNavigate({ from })
  const renew = useRenewMatches()
  const { placements, unplaced, appliedAt } = proposal
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const chosen = placements.filter(({ matchGuid }) => !left.has(matchGuid))
  const pinned = placements.filter(({ matchGuid }) => pins.has(matchGuid))
  const isAll = left.size === 0
  const losing = unplaced.filter(({ matchGuid }) => plan.byGuid.get(matchGuid)?.scheduledAt != null)
  const clashes = useMemo(
    () => clashesWith(plan, chosen, isAll ? losing.map(({ matchGuid }) => matchGuid) : []),
    [plan, chosen, isAll, losing],
  )
  const apply = useWrite('POST /tournaments/{tournament}/schedule/proposals/{proposal}/apply', (known, applied) => {
    known.put(proposalAddress(tournament, proposal.guid), applied)
    renew()
  })
  const send = async (matches: readonly string[] | null, next: string | undefined) => {
    const params = { tournament, proposal: proposal.guid }
    if (!(await apply.send({ params, body: matches === null ? undefined : { matches } }))) return
    say(words('plan.applied', { count: matches?.length ?? placements.length }))
    void navigate({ to: '.', search: (search: object) => searchWith(search, 'proposal', next) })
  }
  const toggle = (guids: readonly string[], isChosen: boolean) =>
    setLeft((before) => {
      const after = new Set(before)
      for (const guid of guids) {
        if (isChosen) after.delete(guid)
        else after.add(guid)
      }
      return after
    })
  const isOutdated = apply.error instanceof ApiError && apply.error.code === 'schedule.outdated'
  const isOpen = appliedAt === null
  return (
    <>
      <Section
        title={words('plan.proposal')}
        beside={
          <span className="muted">
            {words('plan.placed', { placed: placements.length, unplaced: unplaced.length })}
          </span>
        }
      >
        <p>{words(isOpen ? 'plan.nothing-yet' : 'plan.is-applied')}</p>
        {apply.error !== null && (
          <div className="notice notice-alert" role="alert">
            <p className="push">
              <bdi>{apply.error instanceof ApiError ? apply.error.message : words('form.unreachable')}</bdi>
            </p>
            {isOutdated && <AskAgain />}
          </div>
        )}
        {isOpen && (
          <div className={`btns ${styles.apply}`}>
            {placements.length > 0 && (
              <button
                type="button"
                className="btn btn-primary"
                aria-disabled={chosen.length === 0 || apply.isSending}
                onClick={() => {
                  if (chosen.length > 0 && !apply.isSending)
                    void send(isAll ? null : chosen.map(({ matchGuid }) => matchGuid), undefined)
                }}
              >
                {words(isAll ? 'plan.apply-all' : 'plan.apply-some', { count: chosen.length })}
              </button>
            )}
            {pinned.length > 0 && (
              <button
                type="button"
                className="btn"
                aria-disabled={apply.isSending}
                onClick={() =>
                  void send(
                    pinned.map(({ matchGuid }) => matchGuid),
                    'new',
                  )
                }
              >
                {words('plan.apply-pinned', { count: pinned.length })}
              </button>
            )}
            <AskAgain />
            <span role="status" className={clashes.size > 0 ? styles.hard : 'muted'}>
              {clashes.size > 0 && words('plan.some-clash', { count: clashes.size })}
              {apply.isSending && words('form.saving')}
            </span>
          </div>
        )}
        {isOpen && isAll && losing.length > 0 && (
          <p className="notice notice-warning">{words('plan.lose', { count: losing.length })}</p>
        )}
      </Section>
      <Unplaced of={unplaced} plan={plan} />
      {placements.length === 0 && <Empty>{words('plan.nothing-fits')}</Empty>}
      {[...Map.groupBy(placements, ({ startsAt }) => dayOf(startsAt, plan.zone))].map(([day, each]) => (
        <Section
          key={day}
          title={day}
          beside={<span className="muted">{words('plan.matches', { count: each.length })}</span>}
        >
          <ProposedTable
            day={day}
            placements={each}
            plan={plan}
            clashes={clashes}
            left={left}
            toggle={toggle}
            pins={pins}
            isOpen={isOpen}
          />
        </Section>
      ))}
    </>
  )
}

function AskAgain() {
  return (
    <Link from={from} to="." search={(search) => searchWith(search, 'proposal', 'new')} className="btn">
      {words('plan.ask-again')}
    </Link>
  )
}
