/** Signs for events; clients draw others by their names. */

const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.5,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

const drawn = {
  flag: <path d="M3.5 14V2.5h8l-2 3 2 3h-8" {...line} />,
  clipboard: <path d="M5.5 3.5h-2v10h9v-10h-2M5.5 2.5h5v2h-5zM6 8h4M6 10.5h4" {...line} />,
  video: <path d="M2 4.5h8v7H2zM10 7l4-2v6l-4-2" {...line} />,
  'list-ordered': <path d="M6.5 4h7M6.5 8h7M6.5 12h7M2.5 3.5h1v2M2.5 8h1M2.5 12h1" {...line} />,
  swords: <path d="M3 3l8 8M13 3l-8 8M9 12.5l3.5-3.5M7 12.5L3.5 9" {...line} />,
  trophy: (
    <path d="M5 2.5h6v4a3 3 0 0 1-6 0zM5 4H2.5c0 2 1 3 2.5 3M11 4h2.5c0 2-1 3-2.5 3M8 9.5v3M5.5 13.5h5" {...line} />
  ),
  clock: <path d="M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3.2l2 1.3" {...line} />,
  users: (
    <path
      d="M6 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5zM2 13c0-2.5 1.6-4 4-4s4 1.5 4 4M10.5 3.5a2 2 0 0 1 0 4M12 9.5c1.3.5 2 1.8 2 3.5"
      {...line}
    />
  ),
  music: (
    <path
      d="M6 12V3.5l7-1.5v8.5M6 12a1.75 1.75 0 1 1-3.5 0A1.75 1.75 0 0 1 6 12zM13 10.5a1.75 1.75 0 1 1-3.5 0 1.75 1.75 0 0 1 3.5 0z"
      {...line}
    />
  ),
} as const

export const iconNames: readonly string[] = Object.keys(drawn)

export function EventIcon({ name }: { readonly name: string }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      {name in drawn ? drawn[name as keyof typeof drawn] : <circle cx="8" cy="8" r="4" {...line} />}
    </svg>
  )
}
