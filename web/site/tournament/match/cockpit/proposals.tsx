import { useQueryClient } from '@tanstack/react-query'
import { memo } from 'react'
import type { FlowState, Match } from '../../../../../client/generated.ts'
import { type Address, address } from '../../../data/api.ts'
import { showAnswer } from '../../../data/told.ts'
import { useTournamentId } from '../../../data/tournament.ts'
import { words } from '../../../data/words.ts'
import { ProposalsOf } from '../../../parts/proposals/proposals-of.tsx'
import { Section } from '../../../parts/section.tsx'
import type { People } from '../people.ts'
import styles from './cockpit.module.css'

interface Props {
  readonly match: Match
  readonly tournament: string
  readonly people: People
  readonly at: Address<FlowState>
}

/** What the assistant or the players' games have told of the match; nothing where they have told nothing. */
export const Proposals = memo(function Proposals({ match, tournament, people, at }: Props) {
  const cache = useQueryClient()
  const id = useTournamentId()
  const path = address('/tournaments/{tournament}/matches/{match}', { tournament: id, match: match.guid })
  return (
    <ProposalsOf
      match={match}
      tournament={tournament}
      people={people.teams.flatMap((team) => team?.members.map(({ user }) => user) ?? [])}
      toSettle={<a href="#needs">{words('assistant.to-needs')}</a>}
      onDecided={(decided) => {
        const { state } = decided
        showAnswer(cache, path, decided.match)
        if (state !== null) showAnswer(cache, at, state)
      }}
      frame={(content) => (
        <Section title={words('assistant.proposals')}>
          <div className={styles.proposals}>{content}</div>
        </Section>
      )}
    />
  )
})
