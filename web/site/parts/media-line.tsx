import { useState } from 'react'
import { address } from '../data/api.ts'
import type { Media } from '../data/generated.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Dialog } from './dialog.tsx'
import { Loaded } from './loaded.tsx'
import styles from './media-line.module.css'
import { sizeOf } from './numbers.ts'

/** Parts of a line about a file. What uses it is asked for when somebody wants to know. */

interface Props {
  readonly of: Media
}

export function MediaName({ of: { name, type, url, variants, color } }: Props) {
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

export function MediaSize({ of: { bytes, width, height, durationMs } }: Props) {
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

export function MediaUses({ of: { guid, name, usages } }: Props) {
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
