import { useNavigate } from '@tanstack/react-router'
import type { CorrectionEntry, Team, TournamentWithParts } from '../../../../../client/generated.ts'
import { address } from '../../../data/api.ts'
import { useRead, useRenewal } from '../../../data/queries.ts'
import { useTournamentId } from '../../../data/tournament.ts'
import { words } from '../../../data/words.ts'
import { useWrite } from '../../../data/writes.ts'
import { Danger } from '../../../parts/danger.tsx'
import { Section } from '../../../parts/section.tsx'
import { Instant } from '../../../parts/time.tsx'
import { useChanged } from '../../../team/changed.ts'
import { Delete } from '../../../team/deletion.tsx'
import shared from '../../../team/team.module.css'
import { TakeBack, Withdraw } from '../../../team/withdrawal.tsx'

/** Withdrawing the team and taking that back, what was taken back before, and deleting it. (D60) */

interface Props {
  readonly team: Team
  readonly tournament: TournamentWithParts
}

export function Ending({ team, tournament: { status } }: Props) {
  const isOver = status === 'completed' || status === 'cancelled'
  const isOut = team.withdrawnAt !== null
  const tournament = useTournamentId()
  const navigate = useNavigate()
  if (isOver && team.status !== 'unregistered') return null
  return (
    <Section title={words('manage-team.ending')}>
      <ul className={`lines ${shared.leaving}`}>
        {isOut && !isOver && <TakeBack team={team} />}
        {!isOut && !isOver && <Withdraw team={team} mayVoid />}
        <Undos team={team} />
        {team.status === 'unregistered' && (
          <Delete
            team={team}
            then={() => void navigate({ to: '/manage/$tournament/registration', params: { tournament } })}
          />
        )}
      </ul>
    </Section>
  )
}

/** Withdrawals of this team that were taken back stand in the log of corrections, and can be undone. */
function Undos({ team }: Pick<Props, 'team'>) {
  const at = address('/tournaments/{tournament}/corrections', { tournament: useTournamentId() }, { limit: 100 })
  const read = useRead(at)
  useRenewal(at, team.updatedAt)
  const [last] = read.data?.corrections.filter((each) => each.team === team.guid && each.undoneAt === null) ?? []
  return last === undefined ? null : <Undo key={last.guid} of={last} team={team} />
}

function Undo({ of: { guid, createdAt, matches }, team }: { readonly of: CorrectionEntry; readonly team: Team }) {
  const tournament = useTournamentId()
  const changed = useChanged(team)
  const undo = useWrite('POST /tournaments/{tournament}/corrections/{correction}/undo', (known) => {
    changed(known)
    known.renew(`/tournaments/${tournament}/corrections`)
  })
  return (
    <li>
      <p>
        {words('manage-team.undo-text')} <Instant at={createdAt} />.
      </p>
      <Danger
        label={words('manage-team.undo')}
        title={words('manage-team.undo-title', { name: team.name })}
        error={undo.error}
        isSending={undo.isSending}
        act={() => undo.send({ params: { tournament, correction: guid } })}
      >
        <p>{words('manage-team.undo-what', { matches: matches.length })}</p>
      </Danger>
    </li>
  )
}
