import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { ApiError, Unreachable } from '../../data/api.ts'
import type { Media } from '../../data/generated.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { useUpload } from '../../data/upload.ts'
import { words } from '../../data/words.ts'
import { megabytes, percentOf, sizeOf } from '../../parts/numbers.ts'
import { Section } from '../../parts/section.tsx'
import type { Kind, kindsFor } from './kinds.ts'
import styles from './media.module.css'

/** Uploads a file: what it is for is chosen first, since each kind has its own limits. */

export function UploadForm({ kinds }: { readonly kinds: ReturnType<typeof kindsFor> }) {
  const id = useId()
  const tournament = useTournamentId()
  const field = useRef<HTMLInputElement>(null)
  const [kind, setKind] = useState<Kind>(kinds[0]?.kind ?? 'overlay_image')
  const [hasRights, setRights] = useState(false)
  const [file, setFile] = useState<File | null>(null)
  const [made, setMade] = useState<Media | null>(null)
  const of = kinds.find((each) => each.kind === kind) ?? kinds[0]
  const rights = of?.needsRights === true ? { rightsConfirmed: true } : {}
  const { upload, share, error } = useUpload({ kind, tournament, ...rights })
  const renew = useRenewMedia()
  const isSending = share !== null
  const limit = (of?.megabytes ?? 0) * 1024 ** 2
  const isLarge = file !== null && file.size > limit
  const send = async () => {
    if (file === null || isLarge) return
    setMade(null)
    const media = await upload(file)
    if (media === null) return
    setMade(media)
    setFile(null)
    if (field.current !== null) field.current.value = ''
    renew()
  }
  return (
    <Section title={words('manage-media.upload')}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <label className="field">
          <span className="strong">{words('manage-media.for')}</span>
          <select
            className="in"
            value={kind}
            disabled={isSending}
            onChange={({ target }) => setKind(target.value as Kind)}
          >
            {kinds.map((each) => (
              <option key={each.kind} value={each.kind}>
                {words(`media.kind-${each.kind}`)}
              </option>
            ))}
          </select>
        </label>
        <div className="field">
          <label htmlFor={id}>{words('manage-media.file')}</label>
          <input
            ref={field}
            id={id}
            className={styles.file}
            type="file"
            accept={of?.accept}
            disabled={isSending}
            required
            aria-describedby={`${id}h`}
            onChange={({ target }) => {
              setMade(null)
              setFile(target.files?.[0] ?? null)
            }}
          />
          <p id={`${id}h`} className="small muted">
            {words(`manage-media.takes-${kind as 'overlay_image'}`, { megabytes: of?.megabytes ?? 0 })}
          </p>
        </div>
        <div className="btns">
          {of?.needsRights === true && (
            <label className="choice">
              <input
                type="checkbox"
                checked={hasRights}
                required
                onChange={({ target }) => setRights(target.checked)}
              />
              {words('manage-media.rights')}
            </label>
          )}
          <button type="submit" className="btn btn-primary" aria-disabled={isSending || isLarge}>
            {words('manage-media.send')}
          </button>
        </div>
        {share !== null && <progress max={1} value={share} aria-label={words('upload.progress')} />}
        <p role="status" className={styles.status}>
          {share !== null && (share < 1 ? words('upload.sent', { share: percentOf(share) }) : words('upload.checked'))}
          {made !== null && words('manage-media.made', { name: made.name, size: sizeOf(made.bytes) })}
        </p>
        {isLarge && file !== null && (
          <p role="alert" className="notice notice-alert">
            {words('manage-media.too-large', { size: megabytes(file.size), limit: megabytes(limit) })}
          </p>
        )}
        {error !== null && !isLarge && (
          <p role="alert" className="notice notice-alert">
            <strong>{words('manage-media.refused')}</strong> {error instanceof ApiError && <bdi>{error.message}</bdi>}
            {error instanceof Unreachable && words('manage-media.broken')}
          </p>
        )}
      </form>
    </Section>
  )
}

/** Reads the lists of media again. */
function useRenewMedia(): () => void {
  const tournament = useTournamentId()
  const cache = useQueryClient()
  return () =>
    void cache.invalidateQueries({
      predicate: ({ queryKey: [at] }) => String(at).startsWith(`/tournaments/${tournament}/media`),
    })
}
