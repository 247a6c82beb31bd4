import { useState } from 'react'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Secret } from '../../parts/secret.tsx'
import styles from './manage.module.css'
import { settingsAddress } from './reads.ts'

/** The secret that signs what the custom webhook gets: made here, shown once, and only `configured` afterwards. */

interface Props {
  readonly platform: string
  readonly isSet: boolean
}

/** As Standard Webhooks has them: random bytes in base64 behind a prefix. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

export function SigningSecret({ platform, isSet }: Props) {
  const [shown, setShown] = useState<string | null>(null)
  const save = useWrite('PUT /tournament-platforms/{platform}/settings', (known, saved) =>
    known.put(settingsAddress(platform), saved),
  )
  const put = async (secret: string) => {
    const isDone = await save.send({ params: { platform }, body: { customWebhookSecret: secret } })
    if (isDone) setShown(secret === '' ? null : secret)
    return isDone
  }
  const shared = { error: save.error, isSending: save.isSending }
  return (
    <div className={styles.part}>
      <h3>{words('managing.secret')}</h3>
      <p>
        {shown !== null ? (
          <>
            {words('managing.secret-once')} <Secret name={words('managing.secret')} text={shown} />
          </>
        ) : (
          words(isSet ? 'managing.secret-configured' : 'managing.secret-none')
        )}
      </p>
      <div className="btns">
        {isSet ? (
          <>
            <Danger
              label={words('managing.rotate')}
              title={words('managing.rotate-title')}
              {...shared}
              act={() => put(newSecret())}
            >
              <p>{words('managing.rotate-what')}</p>
            </Danger>
            <Danger
              label={words('managing.unsign')}
              title={words('managing.unsign-title')}
              {...shared}
              act={() => put('')}
            >
              <p>{words('managing.unsign-what')}</p>
            </Danger>
          </>
        ) : (
          <button type="button" className="btn" aria-disabled={save.isSending} onClick={() => void put(newSecret())}>
            {words('managing.make-secret')}
          </button>
        )}
      </div>
    </div>
  )
}
