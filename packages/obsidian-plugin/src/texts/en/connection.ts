export const connection = {
  "connection.failed": "Agents cannot connect: {reason}",
} as const;
