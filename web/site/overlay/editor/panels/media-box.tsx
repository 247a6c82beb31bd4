import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { address } from '../../../data/api.ts'
import { useRead } from '../../../data/queries.ts'
import { useUpload } from '../../../data/upload.ts'
import { words } from '../../../data/words.ts'
import { Failure } from '../../../parts/loaded.tsx'
import { percentOf } from '../../../parts/numbers.ts'
import { useEditing } from '../editing.ts'
import styles from './properties.module.css'

/** Chooses a picture, a video or a font of the tournament's media, or uploads one. */

const accepted = {
  overlay_image: 'image/png,image/jpeg,image/webp,image/gif,image/avif',
  overlay_video: 'video/webm,video/mp4',
  overlay_font: '.woff2,font/woff2',
} as const

interface Props {
  readonly label: string
  readonly kind: keyof typeof accepted
  readonly value: string | undefined
  readonly disabled: boolean
  readonly commit: (media: string | undefined, joins?: boolean, name?: string) => boolean
}

export function MediaBox({ label, kind, value, disabled, commit }: Props) {
  const id = useId()
  const { tournament } = useEditing()
  const cache = useQueryClient()
  const at = address('/tournaments/{tournament}/media', { tournament }, { kind, limit: 100 })
  const all = useRead(disabled ? null : at).data?.media ?? []
  const needsRights = kind !== 'overlay_image'
  const [hasRights, setRights] = useState(false)
  const [file, setFile] = useState<File | null>(null)
  const { upload, share, error } = useUpload({ kind, tournament, ...(needsRights && { rightsConfirmed: true }) })
  const send = async (chosen: File) => {
    setFile(chosen)
    const media = await upload(chosen)
    if (media === null) return
    void cache.invalidateQueries({ queryKey: [at] })
    commit(media.guid, false, media.name)
  }
  const isReady = !disabled && share === null && (!needsRights || hasRights)
  return (
    <>
      <div className={styles.wide}>
        <label htmlFor={id}>{label}</label>
        <select
          id={id}
          className="in"
          value={value ?? ''}
          disabled={disabled}
          onChange={({ target }) => {
            const media = all.find(({ guid }) => guid === target.value)
            commit(target.value === '' ? undefined : target.value, false, media?.name)
          }}
        >
          <option value="">{words('editor.no-media')}</option>
          {value !== undefined && !all.some(({ guid }) => guid === value) && (
            <option value={value}>{words('editor.other-media')}</option>
          )}
          {all.map(({ guid, name }) => (
            <option key={guid} value={guid}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {!disabled && (
        <div className={styles.upload}>
          {needsRights && (
            <label className="choice small">
              <input type="checkbox" checked={hasRights} onChange={({ target }) => setRights(target.checked)} />
              {words('manage-media.rights')}
            </label>
          )}
          <label htmlFor={`${id}f`} className="btn" aria-disabled={!isReady}>
            {words('editor.upload')}…
          </label>
          <input
            id={`${id}f`}
            className="unseen"
            type="file"
            accept={accepted[kind]}
            disabled={!isReady}
            onChange={({ target }) => {
              const chosen = target.files?.[0]
              target.value = ''
              if (chosen !== undefined) void send(chosen)
            }}
          />
          <span role="status" className="small muted">
            {share !== null &&
              (share < 1 ? words('upload.sent', { share: percentOf(share) }) : words('upload.checked'))}
          </span>
        </div>
      )}
      {error !== null && file !== null && (
        <Failure error={error} again={() => void send(file)} isTrying={share !== null} />
      )}
    </>
  )
}
