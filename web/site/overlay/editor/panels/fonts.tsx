import { words } from '../../../data/words.ts'
import { newId, setTop } from '../draft/changes.ts'
import { useEditing } from '../editing.ts'
import { Group } from './boxes.tsx'
import { MediaBox } from './media-box.tsx'
import styles from './properties.module.css'

/** Fonts of the tournament that texts may use besides those of every overlay. */
export function Fonts() {
  const { document: scenes, draft, mayEdit } = useEditing()
  const fonts = scenes.fonts ?? {}
  return (
    <Group title={words('editor.fonts')}>
      {Object.entries(fonts).map(([key, { family }]) => (
        <div key={key} className={styles.listed}>
          <bdi>{family}</bdi>
          {mayEdit && (
            <button type="button" className="btn" onClick={() => draft.step(setTop('fonts', { [key]: undefined }))}>
              {words('editor.remove')}
              <span className="unseen"> {family}</span>
            </button>
          )}
        </div>
      ))}
      {mayEdit && (
        <MediaBox
          label={words('editor.add-font')}
          kind="overlay_font"
          value={undefined}
          disabled={false}
          commit={(media, _, name = '') =>
            media !== undefined &&
            draft.step(setTop('fonts', { [newId()]: { family: familyOf(name, Object.keys(fonts).length), media } }))
          }
        />
      )}
    </Group>
  )
}

/** A name of a font family, from that of its file. */
function familyOf(name: string, count: number): string {
  const plain = name
    .replace(/\.\w+$/, '')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .slice(0, 40)
  return plain === '' ? `Font ${count + 1}` : plain
}
