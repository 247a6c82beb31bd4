import { useContext, useId, useState } from 'react'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { UploadsContext } from '../../parts/form/uploads.ts'
import type { FormState } from '../../parts/form/use-form.ts'
import { Failure } from '../../parts/loaded.tsx'
import styles from '../manage.module.css'
import type { SettingsValues } from '../settings-values.ts'

/** Logo and banner: uploaded here, or an address elsewhere. They count once the form is saved. */

interface Props {
  readonly form: FormState<SettingsValues>
  /** Short id. */
  readonly tournament: string
}

export function LookFields({ form, tournament }: Props) {
  return (
    <>
      <PictureField form={form} tournament={tournament} name="imageUrl" kind="tournament_image" />
      <PictureField form={form} tournament={tournament} name="bannerUrl" kind="tournament_banner" />
    </>
  )
}

interface PictureProps extends Props {
  readonly name: 'imageUrl' | 'bannerUrl'
  readonly kind: 'tournament_image' | 'tournament_banner'
}

function PictureField({ form, tournament, name, kind }: PictureProps) {
  const id = useId()
  const [file, setFile] = useState<File | null>(null)
  const upload = useWrite('POST /media', (known, { url }) => {
    form.set(name, url)
    known.renew('/media')
  })
  const { run } = useContext(UploadsContext)
  const send = (chosen: File) => {
    const body = new FormData()
    body.append('file', chosen)
    setFile(chosen)
    return run(() => upload.send({ params: {}, query: { kind, tournament }, body }))
  }
  const address = form.values[name]
  return (
    <div className={styles.picture}>
      <TextField form={form} name={name} label={words(`settings.${name}`)} hint={words(`settings.${name}-hint`)} />
      {address.includes('/media/') && <img src={address} alt="" className={styles[name]} />}
      <div className="btns">
        <label htmlFor={id} className="btn" aria-disabled={upload.isSending}>
          {words('avatar.upload')}
          <span className="unseen">{words(`settings.${name}`)}</span>
        </label>
        <input
          id={id}
          className="unseen"
          type="file"
          accept="image/*"
          aria-disabled={upload.isSending}
          onChange={({ target }) => {
            const chosen = target.files?.[0]
            target.value = ''
            if (chosen !== undefined) void send(chosen)
          }}
        />
        {address !== '' && (
          <button type="button" className="btn btn-quiet" onClick={() => form.set(name, '')}>
            {words('settings.no-picture')}
            <span className="unseen">{words(`settings.${name}`)}</span>
          </button>
        )}
        <span role="status" className="muted">
          {upload.isSending && words('avatar.sending')}
        </span>
      </div>
      {upload.error && file !== null && (
        <Failure error={upload.error} again={() => void send(file)} isTrying={upload.isSending} />
      )}
    </div>
  )
}
