import { useState } from 'react'
import type { TournamentAccess } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { Media } from '../../data/generated.ts'
import { useRead, useReader } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { sizeOf } from '../../parts/numbers.ts'
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
  const { guid, name, kind, type, url, variants, width, height, bytes, durationMs, usages, owner, createdAt, color } =
    of
  const { user } = useReader()
  const [isAsked, ask] = useState(false)
  return (
    <tr>
      <th scope="row">
        <div className={styles.name}>
          <span className={styles.picture} style={{ backgroundColor: color ?? undefined }} aria-hidden="true">
            {type.startsWith('image/') ? (
              <img src={variants[0]?.url ?? url} alt="" width="64" height="48" loading="lazy" />
            ) : (
              type.split('/')[1]
            )}
          </span>
          <a href={url} className="plain">
            <bdi>{name}</bdi>
          </a>
        </div>
      </th>
      <td>{words(`media.kind-${kind}`)}</td>
      <td className="n nowrap">
        {sizeOf(bytes)}
        {width !== null && height !== null && <span className="small muted">{` ${width} × ${height}`}</span>}
        {durationMs !== null && (
          <span className="small muted">{` ${words('manage-media.seconds', { seconds: Math.round(durationMs / 1_000) })}`}</span>
        )}
      </td>
      <td>
        {usages === 0 ? (
          <span className="muted">{words('media.usages', { usages })}</span>
        ) : (
          <button type="button" className="btn btn-quiet" onClick={() => ask(true)}>
            {words('media.usages', { usages })}
            <span className="unseen"> {name}</span>
          </button>
        )}
        {isAsked && (
          <Dialog title={words('manage-media.usages-of', { name })} close={() => ask(false)}>
            <Usages of={guid} />
          </Dialog>
        )}
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
      {usages > 0 && <Usages of={guid} />}
    </Danger>
  )
}

/** Where it is shown; some of it may be for others to change. */
function Usages({ of }: { readonly of: string }) {
  const read = useRead(address('/media/{media}/usages', { media: of }))
  return (
    <Loaded of={read} rows={2}>
      {(usages) => (
        <ul className="lines">
          {usages.map(({ subject, guid, field, name, mayDetach }) => (
            <li key={`${guid} ${field}`} className={styles.usage}>
              <span className="muted">{words(`usage.${subject}`)}</span> <bdi className="strong">{name}</bdi>
              {!mayDetach && <span className="muted"> {words('usage.not-yours')}</span>}
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}
