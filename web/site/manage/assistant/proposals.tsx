import { Link } from '@tanstack/react-router'
import { useRead } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { sessionsAddress } from '../../parts/assistant/sessions.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { ProposalsOf } from '../../parts/proposals/proposals-of.tsx'
import { Section } from '../../parts/section.tsx'
import styles from './assistant.module.css'
import { MatchName, useMatch, usePeopleOf, useRunning } from './matches.tsx'

/** What songs came to, and what waits for a decision. Nothing of it counts before it is accepted. (AS17, AS19) */

export function Proposals() {
  const tournament = useTournamentId()
  const running = useRunning()
  const sessions = useRead(sessionsAddress(tournament), { live: true })
  const matches = [
    ...new Set([
      ...(sessions.data?.sessions.flatMap(({ match }) => match ?? []) ?? []),
      ...(running.data?.matches.map(({ guid }) => guid) ?? []),
    ]),
  ]
  return (
    <Section title={words('assistant.proposals')}>
      <p className={`muted ${styles.text}`}>{words('assistant.proposals-text')}</p>
      <Loaded of={running} rows={2}>
        {() => matches.length === 0 && <p className="muted">{words('assistant.no-matches')}</p>}
      </Loaded>
      {matches.slice(0, 50).map((match) => (
        <OfMatch key={match} guid={match} />
      ))}
    </Section>
  )
}

function OfMatch({ guid }: { readonly guid: string }) {
  const tournament = useTournamentId()
  const match = useMatch(guid)
  const people = usePeopleOf(match)
  return (
    <article className={styles.match} id={`proposals-${guid}`}>
      <h3>
        <MatchName guid={guid} />
      </h3>
      {match !== undefined && (
        <ProposalsOf
          match={match}
          tournament={tournament}
          people={people}
          isAlways
          toSettle={
            <Link to="/manage/$tournament/live/$match" params={{ tournament, match: guid }}>
              {words('assistant.to-cockpit')}
            </Link>
          }
        />
      )}
    </article>
  )
}
