import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Agenda } from '../../../client/generated.ts'
import { type Address, address } from '../data/api.ts'
import { useKept } from '../data/keeping.ts'
import { cardAddress, useRead, useReader } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { type Answered, AnsweredInvitation, Invitation } from '../parts/invitation.tsx'
import { After, Empty, Loaded } from '../parts/loaded.tsx'
import { matchLink, SideName } from '../parts/match.tsx'
import { PushOffer } from '../parts/push-offer.tsx'
import { Section } from '../parts/section.tsx'
import { MatchState, State } from '../parts/state.tsx'
import { TeamName } from '../parts/team.tsx'
import { Instant } from '../parts/time.tsx'
import styles from './agenda.module.css'
import { FirstSteps, useFirstSteps } from './first-steps.tsx'

/** What waits for the reader, and what comes in the next two weeks. */

export const agendaAddress: Address<Agenda> = address('/users/@me/agenda', {})

export function AgendaPage() {
  const { user } = useReader()
  const read = useRead(agendaAddress, { live: true })
  const steps = useFirstSteps(read.data, user)
  const [answered, tell] = useState<Answered | null>(null)
  useKept('agenda', read.data && words('me.agenda'), [agendaAddress, cardAddress])
  return (
    <div className="page stack">
      <h1>{words('me.agenda')}</h1>
      <Loaded of={read} rows={8}>
        {(agenda) => (
          <After of={steps.asked} rows={8}>
            {answered !== null && <AnsweredInvitation of={answered} />}
            <FirstSteps agenda={agenda} of={steps} />
            <Waiting agenda={agenda} tell={tell} />
            <Section title={words('agenda.matches')}>
              {agenda.matches.length === 0 ? (
                <Empty>{words('agenda.no-matches')}</Empty>
              ) : (
                <ul className="lines">
                  {agenda.matches.map(({ match }) => (
                    <MatchOf key={match.guid} match={match} />
                  ))}
                </ul>
              )}
              {!isEmpty(agenda) && <PushOffer text={words('agenda.push')} />}
            </Section>
            {agenda.duties.length + agenda.streams.length > 0 && <Duties agenda={agenda} />}
            {agenda.deadlines.length > 0 && <Deadlines agenda={agenda} />}
          </After>
        )}
      </Loaded>
    </div>
  )
}

const isEmpty = (agenda: Agenda): boolean => Object.values(agenda).every((entries) => entries.length === 0)

/** What the reader has to do: answers come first. */
function Waiting({ agenda, tell }: { readonly agenda: Agenda; readonly tell: (answered: Answered) => void }) {
  const sheets = agenda.sheets.filter(({ answered }) => !answered)
  const { invitations, rosterProblems } = agenda
  if (invitations.length + sheets.length + rosterProblems.length === 0) return null
  return (
    <Section title={words('agenda.waiting')}>
      <ul className="lines">
        {invitations.map((invitation) => (
          <li key={invitation.guid}>
            <Invitation invitation={invitation} tell={tell} />
          </li>
        ))}
        {rosterProblems.map(({ team, tournament, eligibility }) => (
          <li key={`${team.guid}`} className={styles.line}>
            <State shape="problem" tone="alert">
              {words('agenda.problem')}
            </State>
            <span>
              <Link to="/t/$tournament/team" params={{ tournament: tournament.id }} className="plain">
                <TeamName team={team} />
              </Link>{' '}
              <span className="muted">
                <bdi>{tournament.name}</bdi>
              </span>
              <ul className="small muted">
                {[...eligibility.team.failures, ...eligibility.players.flatMap(({ failures }) => failures)].map(
                  ({ code, message }, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: several players may fail the same check
                    <li key={`${code} ${at}`}>
                      <bdi>{message}</bdi>
                    </li>
                  ),
                )}
              </ul>
            </span>
          </li>
        ))}
        {sheets.map((sheet) => (
          <li key={sheet.guid} className={styles.line}>
            <State shape="waiting">{words('agenda.sheet')}</State>
            <span>
              <Link
                to="/t/$tournament/availability/$sheet"
                params={{ tournament: sheet.tournament.id, sheet: sheet.guid }}
                className="plain strong"
              >
                <bdi>{sheet.title}</bdi>
              </Link>{' '}
              <span className="muted">
                <bdi>{sheet.tournament.name}</bdi>
              </span>
            </span>
            {sheet.closesAt !== null && (
              <span className="muted">
                {words('agenda.until')} <Instant at={sheet.closesAt} zone={sheet.tournament.timezone} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function MatchOf({ match }: { readonly match: Agenda['matches'][number]['match'] }) {
  const [first, second] = match.sides
  return (
    <li className={styles.match}>
      <MatchState status={match.status} />
      <Link {...matchLink(match.tournament.id, match.division.id, match.number)} className="plain">
        {first && <Named side={first} />} <span className="muted">{words('agenda.against')}</span>{' '}
        {second && <Named side={second} />}
      </Link>
      <span className="muted">
        <bdi>{match.tournament.name}</bdi>
      </span>
      <span>
        {match.scheduledAt === null ? (
          match.status !== 'running' && <span className="muted">{words('match.no-time')}</span>
        ) : (
          <Instant at={match.scheduledAt} zone={match.tournament.timezone} />
        )}
      </span>
      {match.status === 'running' && (
        <Link {...matchLink(match.tournament.id, match.division.id, match.number)} className="btn btn-primary">
          {words('agenda.play')}
        </Link>
      )}
    </li>
  )
}

/** The team, or the match that it comes from. */
function Named({ side }: { readonly side: Agenda['matches'][number]['match']['sides'][number] }) {
  const { team, from } = side
  if (team !== null || from === null) return <SideName side={side} />
  return (
    <span className="muted">
      {words(from.outcome === 'winner' ? 'agenda.winner-of' : 'agenda.loser-of', { number: from.number })}
    </span>
  )
}

function Duties({ agenda }: { readonly agenda: Agenda }) {
  return (
    <Section title={words('agenda.duties')}>
      <ul className="lines">
        {agenda.duties.map(({ role, match }) => (
          <li key={`${match.guid} ${role}`} className={styles.line}>
            <span>{words(`duty.${role as 'referee'}`)}</span>
            <Link {...matchLink(match.tournament.id, match.division.id, match.number)} className="plain">
              <bdi>{match.tournament.name}</bdi>, {words('schedule.match', { number: match.number })}
            </Link>
            {match.scheduledAt !== null && <Instant at={match.scheduledAt} zone={match.tournament.timezone} />}
          </li>
        ))}
        {agenda.streams.map(({ guid, role, startsAt, tournament }) => (
          <li key={guid} className={styles.line}>
            <span>{words(`stream-role.${role}`)}</span>
            <Link to="/t/$tournament/schedule" params={{ tournament: tournament.id }} className="plain">
              <bdi>{tournament.name}</bdi>
            </Link>
            <Instant at={startsAt} zone={tournament.timezone} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Deadlines({ agenda }: { readonly agenda: Agenda }) {
  return (
    <Section title={words('agenda.dates')}>
      <ul className="lines">
        {agenda.deadlines.map(({ kind, at, team, tournament }) => (
          <li key={`${kind} ${tournament.guid} ${team?.guid}`} className={styles.line}>
            <Instant at={at} zone={tournament.timezone} />
            <span>{words(`deadline.${kind}`)}</span>
            <span>
              <Link to="/t/$tournament" params={{ tournament: tournament.id }} className="plain">
                <bdi>{tournament.name}</bdi>
              </Link>
              {team !== null && (
                <>
                  {', '}
                  <Link to="/t/$tournament/team" params={{ tournament: tournament.id }} className="plain">
                    <bdi>{team.name}</bdi>
                  </Link>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
