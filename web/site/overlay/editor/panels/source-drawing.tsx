import { words } from '../../../data/words.ts'
import styles from './dialogs.module.css'

/** The form of a browser source, as broadcasting programs have it: which fields are filled in, and which stay empty. */
export function SourceDrawing({ width, height }: { readonly width: number; readonly height: number }) {
  const field = (y: number, label: string, text: string, isFilled: boolean) => (
    <>
      <text x="112" y={y + 17} textAnchor="end" fontSize="12" fill="var(--muted)">
        {label}
      </text>
      <rect
        x="120"
        y={y}
        width="340"
        height="26"
        rx="3"
        fill={isFilled ? 'var(--tint-action)' : 'var(--surface)'}
        stroke={isFilled ? 'var(--action)' : 'var(--edge)'}
        strokeWidth={isFilled ? 2 : 1}
      />
      <text x="130" y={y + 17} fontSize="12" fill="var(--text)">
        {text}
      </text>
    </>
  )
  return (
    <svg className={styles.drawing} viewBox="0 0 480 196" role="img" aria-label={words('editor.paste-drawing')}>
      <rect x="0.5" y="0.5" width="479" height="195" rx="4" fill="var(--raised)" stroke="var(--line)" />
      <text x="16" y="24" fontSize="13" fontWeight="600" fill="var(--text)">
        {words('editor.paste-title')}
      </text>
      {field(40, 'URL', 'https://…/overlay/live#ovt_…', true)}
      {field(76, words('editor.prop-width'), String(width), true)}
      {field(112, words('editor.prop-height'), String(height), true)}
      {field(148, 'CSS', '', false)}
    </svg>
  )
}
