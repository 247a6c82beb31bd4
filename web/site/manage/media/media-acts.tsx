import type { TournamentAccess } from '../../../../client/generated.ts'
import type { Media } from '../../data/generated.ts'
import { useReader } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { MediaUsages } from '../../parts/media-table.tsx'
import { mayDelete } from './kinds.ts'

/** What an organiser, or who uploaded it, does with a file. */

interface Props {
  readonly of: Media
  readonly roles: TournamentAccess['roles']
}

export function MediaActs({ of, roles }: Props) {
  const { owner, tournament } = of
  const { user } = useReader()
  const isOwn = owner !== null && owner.guid === user?.guid && tournament === null
  return mayDelete(roles) || isOwn ? <Deletion of={of} /> : null
}

function Deletion({ of: { guid, name, usages } }: { readonly of: Media }) {
  const tournament = useTournamentId()
  const remove = useWrite('DELETE /media/{media}', (known) => known.renew(`/tournaments/${tournament}/media`))
  return (
    <Danger
      label={words('media.delete')}
      title={words('media.delete-title', { name })}
      error={remove.error}
      isSending={remove.isSending}
      {...(usages > 0 && { typed: name })}
      act={() => remove.send({ params: { media: guid }, ...(usages > 0 && { query: { detach: true } }) })}
    >
      <p>{words('media.delete-what', { usages })}</p>
      {usages > 0 && <MediaUsages of={guid} />}
    </Danger>
  )
}
