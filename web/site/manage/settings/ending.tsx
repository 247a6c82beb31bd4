import { useNavigate } from '@tanstack/react-router'
import type { TournamentWithParts } from '../../../../client/generated.ts'
import { useMay } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Section } from '../../parts/section.tsx'
import { StatusAct } from '../status-act.tsx'

/** How a tournament ends before its time, or goes on after it. (D25, D35, W19) */
export function Ending({ tournament }: { readonly tournament: TournamentWithParts }) {
  const { status } = tournament
  const may = useMay()
  const canDelete = status === 'draft' && may('tournaments.delete')
  const canCancel = status === 'draft' || status === 'approved' || status === 'ongoing'
  if (!canDelete && !canCancel && status !== 'completed') return null
  return (
    <Section title={words('settings.ending')}>
      <div className="btns">
        {status === 'completed' && <StatusAct tournament={tournament} to="ongoing" />}
        {canCancel && <StatusAct tournament={tournament} to="cancelled" />}
        {canDelete && <Deletion tournament={tournament} />}
      </div>
    </Section>
  )
}

function Deletion({ tournament: { guid, name, counts } }: { readonly tournament: TournamentWithParts }) {
  const navigate = useNavigate()
  const remove = useWrite('DELETE /tournaments/{tournament}', () => void navigate({ to: '/', ignoreBlocker: true }))
  return (
    <Danger
      label={words('settings.delete')}
      title={words('settings.delete-title', { name })}
      typed={name}
      error={remove.error}
      isSending={remove.isSending}
      act={() => remove.send({ params: { tournament: guid } })}
    >
      <p>{words('settings.delete-text', { teams: counts.teams })}</p>
    </Danger>
  )
}
