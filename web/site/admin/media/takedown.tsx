import { useState } from 'react'
import type { Media } from '../../data/generated.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { TextValue } from '../../parts/form/fields.tsx'
import { MediaUsages } from '../../parts/media-table.tsx'

/** Takes a file down for good: it says first what uses it and what follows. (W19) */
export function Takedown({ of, taken }: { readonly of: Media; readonly taken: (of: Media) => void }) {
  const { guid, name, usages, owner, tournament } = of
  const [reason, setReason] = useState('')
  const take = useWrite('POST /admin/media/{media}/takedown', (known) => {
    taken(of)
    known.renew('/admin/media')
  })
  return (
    <Danger
      label={words('admin-media.take')}
      of={name}
      title={words('admin-media.take-title', { name })}
      typed={name}
      isReady={reason.trim() !== ''}
      error={take.error}
      isSending={take.isSending}
      act={() => take.send({ params: { media: guid }, body: { reason: reason.trim() } })}
    >
      <p>{words('admin-media.take-uses', { usages })}</p>
      {usages > 0 && <MediaUsages of={guid} isForced />}
      <ul className="prose">
        <li>{words('admin-media.take-copies')}</li>
        <li>{words('admin-media.take-blocked')}</li>
        {(owner !== null || tournament !== null) && (
          <li>{words(tournament === null ? 'admin-media.take-owner' : 'admin-media.take-organisers')}</li>
        )}
        <li>{words('admin-media.take-caches')}</li>
      </ul>
      <TextValue
        name="reason"
        label={words('admin-media.why')}
        value={reason}
        change={setReason}
        maxLength={500}
        isRequired
      />
    </Danger>
  )
}
