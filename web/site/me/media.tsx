import { address } from '../data/api.ts'
import type { Media, MediaQuota } from '../data/generated.ts'
import { usePages } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { Danger } from '../parts/danger.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { More } from '../parts/more.tsx'
import { megabytes, sizeOf } from '../parts/numbers.ts'
import { Section } from '../parts/section.tsx'
import { Instant } from '../parts/time.tsx'
import styles from './media.module.css'

/** What the reader has uploaded, where it is used, and how much room is left. */
export function OwnMedia() {
  const pages = usePages(address('/media', {}, { limit: 48 }))
  const all = pages.data?.pages.flatMap(({ media }) => media)
  const quota = pages.data?.pages[0]?.quota
  return (
    <div className="page stack">
      <h1>{words('me.media')}</h1>
      <Loaded of={{ data: all, error: pages.error, isFetching: pages.isFetching, refetch: pages.refetch }} rows={6}>
        {(media) => (
          <Section title={words('media.title')} beside={quota !== undefined && <Quota quota={quota} />}>
            {media.length === 0 && <Empty>{words('media.none')}</Empty>}
            <ul className={styles.media}>
              {media.map((each) => (
                <Medium key={each.guid} of={each} />
              ))}
            </ul>
            <More of={pages} />
          </Section>
        )}
      </Loaded>
    </div>
  )
}

function Quota({ quota: { usedBytes, bytes } }: { readonly quota: MediaQuota }) {
  return (
    <span className="muted">
      {words('media.quota', { used: sizeOf(usedBytes), limit: megabytes(bytes) })}{' '}
      <meter aria-label={words('media.room')} min={0} max={bytes} value={usedBytes} />
    </span>
  )
}

function Medium({
  of: { guid, name, kind, url, variants, type, width, height, bytes, usages, createdAt },
}: {
  readonly of: Media
}) {
  const remove = useWrite('DELETE /media/{media}', (known) => known.renew('/media'))
  const small = variants[0]?.url ?? url
  return (
    <li className={styles.medium}>
      {type.startsWith('image/') ? (
        <img src={small} alt="" width={width ?? 64} height={height ?? 64} loading="lazy" />
      ) : (
        <span className={styles.file}>{type.split('/')[1]}</span>
      )}
      <div>
        <p className="strong">
          <bdi>{name}</bdi>
        </p>
        <p className="small muted">
          {words(`media.kind-${kind}`)}, {sizeOf(bytes)}, <Instant at={createdAt} as="day" />
        </p>
        <p className="small muted">{words('media.usages', { usages })}</p>
        <Danger
          label={words('media.delete')}
          title={words('media.delete-title', { name })}
          error={remove.error}
          isSending={remove.isSending}
          {...(usages > 0 && { typed: name })}
          act={() => remove.send({ params: { media: guid }, query: { detach: true } })}
        >
          <p>{words('media.delete-what', { usages })}</p>
        </Danger>
      </div>
    </li>
  )
}
