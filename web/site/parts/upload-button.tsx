import { useContext, useId, useRef, useState } from 'react'
import type { Media, Writes } from '../data/generated.ts'
import { useUpload } from '../data/upload.ts'
import { words } from '../data/words.ts'
import { UploadsContext } from './form/uploads.ts'
import { Failure } from './loaded.tsx'
import { percentOf } from './numbers.ts'

/** A button that uploads a file, how far that is, and why it was refused. */
export function UploadButton({
  label,
  accept = 'image/*',
  query,
  isReady = true,
  then,
}: {
  readonly label: string
  readonly accept?: string
  readonly query: Partial<Writes['POST /media']['query']>
  readonly isReady?: boolean
  readonly then: (media: Media) => void
}) {
  const id = useId()
  const [file, setFile] = useState<File | null>(null)
  const { upload, share, error } = useUpload(query)
  const { run } = useContext(UploadsContext)
  // What was typed while the file was sent stays.
  const latest = useRef(then)
  latest.current = then
  const send = (chosen: File) =>
    run(async () => {
      setFile(chosen)
      const media = await upload(chosen)
      if (media !== null) latest.current(media)
      return media !== null
    })
  const isSending = share !== null
  return (
    <>
      <div className="btns">
        <label htmlFor={id} className="btn" aria-disabled={isSending || !isReady}>
          {label}
        </label>
        <input
          id={id}
          className="unseen"
          type="file"
          accept={accept}
          disabled={!isReady}
          aria-disabled={isSending}
          onChange={({ target }) => {
            const chosen = target.files?.[0]
            target.value = ''
            if (chosen !== undefined) void send(chosen)
          }}
        />
        {share !== null && <progress max={1} value={share} aria-label={words('upload.progress')} />}
        <span role="status" className="muted">
          {share !== null && (share < 1 ? words('upload.sent', { share: percentOf(share) }) : words('upload.checked'))}
        </span>
      </div>
      {error !== null && file !== null && <Failure error={error} again={() => void send(file)} isTrying={isSending} />}
    </>
  )
}
