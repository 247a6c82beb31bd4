import type { Team } from '../../../client/generated.ts'
import { useTournamentId } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { type Known, useWrite } from '../data/writes.ts'
import { Danger } from '../parts/danger.tsx'

/** Deletes the team for good, by its name. (W19) */
export function Delete({ team, then }: { readonly team: Team; readonly then: (known: Known) => void }) {
  const tournament = useTournamentId()
  const remove = useWrite('DELETE /tournaments/{tournament}/teams', (known) => {
    known.renew(`/tournaments/${tournament}`)
    then(known)
  })
  return (
    <li>
      <p>{words('leaving.delete-text')}</p>
      <Danger
        label={words('leaving.delete')}
        title={words('leaving.delete-title', { name: team.name })}
        typed={team.name}
        error={remove.error}
        isSending={remove.isSending}
        act={() => remove.send({ params: { tournament }, body: { teamGuid: team.guid } })}
      >
        <p>{words('leaving.delete-what', { members: team.members.length, invited: team.invited })}</p>
      </Danger>
    </li>
  )
}
