import { useId, useState } from 'react'
import type { UserDetail } from '../data/generated.ts'
import { words } from '../data/words.ts'
import { type Known, useWrite } from '../data/writes.ts'
import { Failure } from '../parts/loaded.tsx'

/** The reader's picture: an own one, or that of the chat. */
export function Avatar({ user }: { readonly user: UserDetail }) {
  const id = useId()
  const [file, setFile] = useState<File | null>(null)
  const shown = (known: Known) => known.renew('/users/')
  const upload = useWrite('PUT /users/@me/avatar', shown)
  const remove = useWrite('DELETE /users/@me/avatar', shown)
  const send = (chosen: File) => {
    const body = new FormData()
    body.append('file', chosen)
    setFile(chosen)
    return upload.send({ params: {}, body })
  }
  const isSending = upload.isSending || remove.isSending
  return (
    <div>
      <div className="btns">
        <label htmlFor={id} className="btn" aria-disabled={isSending}>
          {words('avatar.upload')}
        </label>
        <input
          id={id}
          className="unseen"
          type="file"
          accept="image/*"
          aria-disabled={isSending}
          onChange={({ target }) => {
            const chosen = target.files?.[0]
            target.value = ''
            if (chosen !== undefined) void send(chosen)
          }}
        />
        {user.avatarUrl.includes('/media/') && (
          <button
            type="button"
            className="btn btn-quiet"
            aria-disabled={isSending}
            onClick={() => void remove.send({ params: {} })}
          >
            {words('avatar.remove')}
          </button>
        )}
        <span role="status" className="muted">
          {upload.isSending ? words('avatar.sending') : upload.isDone ? words('form.saved') : ''}
        </span>
      </div>
      <p className="small muted">{words('avatar.hint')}</p>
      {upload.error && file !== null && (
        <Failure error={upload.error} again={() => void send(file)} isTrying={isSending} />
      )}
      {remove.error && (
        <Failure error={remove.error} again={() => void remove.send({ params: {} })} isTrying={remove.isSending} />
      )}
    </div>
  )
}
