import type { TournamentAccess } from '../../../../client/generated.ts'
import type { Media } from '../../data/generated.ts'
import { useReader } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { MediaName, MediaSize, MediaUsages, MediaUses } from '../../parts/media-line.tsx'
import { Instant } from '../../parts/time.tsx'
import { mayDelete } from './kinds.ts'
import styles from './media.module.css'

/** A line for each file. What uses it is asked for when somebody wants to know. */

interface Props {
  readonly media: readonly Media[]
  readonly roles: TournamentAccess['roles']
}

export function MediaTable({ media, roles }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls by itself is reached by the Tab key
    <section className="wide-content" tabIndex={0} aria-label={words('manage-media.all')}>
      <table className={`table ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">{words('manage-media.name')}</th>
            <th scope="col">{words('manage-media.kind')}</th>
            <th scope="col" className="n">
              {words('manage-media.size')}
            </th>
            <th scope="col">{words('manage-media.use')}</th>
            <th scope="col">{words('manage-media.who')}</th>
            <th scope="col">
              <span className="unseen">{words('manage-media.acts')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {media.map((each) => (
            <Line key={each.guid} of={each} roles={roles} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Line({ of, roles }: { readonly of: Media; readonly roles: Props['roles'] }) {
  const { kind, owner, createdAt } = of
  const { user } = useReader()
  return (
    <tr>
      <th scope="row">
        <MediaName of={of} />
      </th>
      <td>{words(`media.kind-${kind}`)}</td>
      <td className="n nowrap">
        <MediaSize of={of} />
      </td>
      <td>
        <MediaUses of={of} />
      </td>
      <td>
        <bdi>{owner?.preferredName ?? '–'}</bdi>{' '}
        <span className="muted">
          <Instant at={createdAt} as="day" />
        </span>
      </td>
      <td className="end">
        {(mayDelete(roles) || (owner !== null && owner.guid === user?.guid && of.tournament === null)) && (
          <Deletion of={of} />
        )}
      </td>
    </tr>
  )
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
