import type { Notification } from '../../../client/generated.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { Danger } from './danger.tsx'

/** Takes the place that an imported tournament keeps for the reader. (P6) */
export function WaitingPlace({ of: { title, data } }: { readonly of: Notification }) {
  const claim = useWrite('POST /users/{awaitedPlaceholder}/claim', (known) => {
    known.renew('/users/@me')
    known.renew('/userWithOngoingTournaments/')
  })
  const { placeholderGuid } = data
  if (typeof placeholderGuid !== 'string') return null
  if (claim.isDone) return <p role="status">{words('waiting-place.done')}</p>
  return (
    <div className="btns">
      <Danger
        isPlain
        label={words('waiting-place.take')}
        of={title}
        title={words('waiting-place.title')}
        error={claim.error}
        isSending={claim.isSending}
        act={() => claim.send({ params: { awaitedPlaceholder: placeholderGuid } })}
      >
        <p>{words('waiting-place.text')}</p>
        <p className="muted">{words('claim.undo-hint')}</p>
      </Danger>
    </div>
  )
}
