import { type ReactNode, useState } from 'react'
import { address } from '../data/api.ts'
import type { Media } from '../data/generated.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Dialog } from './dialog.tsx'
import { Loaded } from './loaded.tsx'
import styles from './media-table.module.css'
import { sizeOf } from './numbers.ts'
import { Instant } from './time.tsx'

/** A line for each file. What uses it is asked for when somebody wants to know. */

/** What sort of file it is; of pictures of people, not whose. */
export const kindOf = ({ kind }: Pick<Media, 'kind'>): string =>
  words(kind === 'avatar' ? 'admin-media.avatar' : `media.kind-${kind}`)

interface TableProps {
  readonly media: readonly Media[]
  readonly label: string
  /** What the reader may do with a file. */
  readonly acts: (of: Media) => ReactNode
}

export function MediaTable({ media, label, acts }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls by itself is reached by the Tab key
    <section className="wide-content" tabIndex={0} aria-label={label}>
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
            <th scope="col" className="acts">
              <span className="unseen">{words('manage-media.acts')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {media.map((each) => (
            <tr key={each.guid}>
              <th scope="row">
                <MediaName of={each} />
              </th>
              <td>{kindOf(each)}</td>
              <td className="n nowrap">
                <MediaSize of={each} />
              </td>
              <td>
                <MediaUses of={each} />
              </td>
              <td>
                {each.owner === null ? (
                  '–'
                ) : (
                  <a href={`/u/${each.owner.guid}`} className="plain">
                    <bdi>{each.owner.preferredName}</bdi>
                  </a>
                )}{' '}
                <span className="muted">
                  <Instant at={each.createdAt} as="day" />
                </span>
              </td>
              <td className="acts">{acts(each)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface Props {
  readonly of: Media
}

function MediaName({ of: { name, type, url, variants, color } }: Props) {
  return (
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
  )
}

function MediaSize({ of: { bytes, width, height, durationMs } }: Props) {
  return (
    <>
      {sizeOf(bytes)}
      {width !== null && height !== null && <span className="small muted">{` ${width} × ${height}`}</span>}
      {durationMs !== null && (
        <span className="small muted">{` ${words('manage-media.seconds', { seconds: Math.round(durationMs / 1_000) })}`}</span>
      )}
    </>
  )
}

function MediaUses({ of: { guid, name, usages } }: Props) {
  const [isAsked, ask] = useState(false)
  return (
    <>
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
          <MediaUsages of={guid} />
        </Dialog>
      )}
    </>
  )
}

/** Where it is shown; some of it may be for others to change. */
export function MediaUsages({
  of,
  isForced = false,
}: {
  readonly of: string
  /** Whether each use ends, also what the reader may not change. */
  readonly isForced?: boolean
}) {
  const read = useRead(address('/media/{media}/usages', { media: of }))
  return (
    <Loaded of={read} rows={2}>
      {(usages) => (
        <ul className="lines">
          {usages.map(({ subject, guid, field, name, mayDetach }) => (
            <li key={`${guid} ${field}`} className={styles.usage}>
              <span className="muted">{words(`usage.${subject}`)}</span> <bdi className="strong">{name}</bdi>
              {!mayDetach && !isForced && <span className="muted"> {words('usage.not-yours')}</span>}
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}
