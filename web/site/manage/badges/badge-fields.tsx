import { useId, useState } from 'react'
import type { UserCard } from '../../../../client/generated.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { PersonField } from '../../parts/finder.tsx'
import { TextValue } from '../../parts/form/fields.tsx'
import { Field } from '../../parts/form/form.tsx'
import { Face } from '../../parts/team.tsx'
import { UploadButton } from '../../parts/upload-button.tsx'
import styles from './badges.module.css'
import { type BadgeValues, kinds } from './values.ts'

/** One badge of a request: its picture as it will be, its words, and who gets it. */

interface Props {
  readonly badge: BadgeValues
  readonly set: (next: BadgeValues) => void
  readonly remove: () => void
}

export function BadgeFields({ badge, set, remove }: Props) {
  const tournament = useTournamentId()
  const { name, description, kind, imageUrl, recipients } = badge
  const title = name === '' ? words('manage-badges.unnamed') : name
  return (
    <fieldset className={styles.badge}>
      <legend className="unseen">{title}</legend>
      <div className={styles.look}>
        {imageUrl === null ? (
          <span className={styles.noPicture}>{words('manage-badges.no-picture')}</span>
        ) : (
          <img src={imageUrl} alt={words('manage-badges.picture-of', { name: title })} className={styles.picture} />
        )}
        <UploadButton
          label={words(imageUrl === null ? 'manage-badges.picture' : 'manage-badges.other-picture')}
          query={{ kind: 'badge_image', tournament }}
          then={({ guid, url }) => set({ ...badge, mediaGuid: guid, imageUrl: url })}
        />
        <p className="small muted">{words('manage-media.takes-badge_image', { megabytes: 1 })}</p>
      </div>
      <div className={styles.texts}>
        <TextValue
          name="name"
          label={words('manage-badges.name')}
          value={name}
          change={(text) => set({ ...badge, name: text })}
          maxLength={60}
          isRequired
        />
        <TextValue
          name="description"
          label={words('manage-badges.description')}
          value={description}
          change={(text) => set({ ...badge, description: text })}
          maxLength={280}
          rows={2}
        />
        <Field name="kind" label={words('manage-badges.kind')}>
          {(of) => (
            <select
              {...of}
              className="in"
              value={kind}
              onChange={({ target }) => set({ ...badge, kind: target.value as BadgeValues['kind'] })}
            >
              {kinds.map((each) => (
                <option key={each} value={each}>
                  {words(`manage-badges.kind-${each}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <button type="button" className="btn btn-quiet" onClick={remove}>
          {words('manage-badges.remove')}
          <span className="unseen"> {title}</span>
        </button>
      </div>
      <Recipients badge={badge} set={set} count={recipients.length} />
    </fieldset>
  )
}

function Recipients({ badge, set, count }: Omit<Props, 'remove'> & { readonly count: number }) {
  const id = useId()
  const [turn, setTurn] = useState(0)
  const { recipients } = badge
  const add = (user: UserCard | null) => {
    if (user === null) return
    setTurn(turn + 1)
    if (recipients.every((each) => each.user.guid !== user.guid))
      set({ ...badge, recipients: [...recipients, { user, label: null, place: null }] })
  }
  return (
    <div>
      <p className="strong">{words('manage-badges.recipients', { count })}</p>
      <ul className={`lines ${styles.recipients}`}>
        {recipients.map((recipient, at) => {
          const { user, label, place } = recipient
          return (
            <li key={user.guid}>
              <Face name={user.preferredName} picture={user.avatarUrl} />
              <bdi>{user.preferredName}</bdi>
              <span className="muted">{label ?? (place === null ? '' : words('manage-badges.place', { place }))}</span>
              <button
                type="button"
                className="btn btn-quiet"
                onClick={() => set({ ...badge, recipients: recipients.toSpliced(at, 1) })}
              >
                {words('manage-badges.drop')}
                <span className="unseen"> {user.preferredName}</span>
              </button>
            </li>
          )
        })}
      </ul>
      <label htmlFor={id} className="unseen">
        {words('manage-badges.add-person')}
      </label>
      <PersonField key={turn} id={id} placeholder={words('manage-badges.add-person')} chosen={null} choose={add} />
    </div>
  )
}
