import { address } from '../../data/api.ts'
import type { PlatformSummary } from '../../data/generated.ts'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { renewPlatforms } from './renew.ts'

interface Props {
  readonly platform: PlatformSummary
  /** All that were ever made, whatever became of them. */
  readonly requests: number
  /** On its public list; undefined while it is not known. */
  readonly tournaments: number | undefined
}

/** Deletes a platform for good: its name is typed, after what goes with it was said in numbers. (W19) */
export function DeletePlatform({ platform, requests, tournaments }: Props) {
  const { contextId, name } = platform
  const remove = useWrite('DELETE /admin/tournament-platforms/{platform}', renewPlatforms)
  return (
    <Danger
      label={words('platforms.delete')}
      of={name}
      title={words('platforms.delete-ask', { name })}
      typed={name}
      error={remove.error}
      isSending={remove.isSending}
      act={() => remove.send({ params: { platform: contextId } })}
    >
      <p>{words('platforms.delete-what')}</p>
      <ul>
        {tournaments !== undefined && <li>{words('platforms.delete-tournaments', { count: tournaments })}</li>}
        <li>{words('platforms.delete-requests', { count: requests })}</li>
        <Team platform={contextId} />
      </ul>
      <p className="strong">{words('platforms.delete-final')}</p>
    </Danger>
  )
}

/** What only its own settings tell, asked for when somebody is about to delete it. */
function Team({ platform }: { readonly platform: string }) {
  const read = useRead(address('/tournament-platforms/{platform}/settings', { platform }))
  return (
    <Loaded of={read} rows={1}>
      {({ members, chatWebhookUrl, customWebhookUrl }) => (
        <>
          <li>{words('platforms.delete-members', { count: members.length })}</li>
          <li>
            {words('platforms.delete-webhooks', {
              count: [chatWebhookUrl, customWebhookUrl].filter((each) => each !== null).length,
            })}
          </li>
        </>
      )}
    </Loaded>
  )
}
