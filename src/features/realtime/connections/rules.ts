/** How long a ticket is valid, in seconds. (RT27) */
export const ticketSeconds = 30
