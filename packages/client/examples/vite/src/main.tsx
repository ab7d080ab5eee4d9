import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { AddPet } from './add-pet';
import { Pets } from './pets';

createRoot(document.getElementById('root') ?? document.body).render(
  <QueryClientProvider client={new QueryClient()}>
    <Pets />
    <AddPet />
  </QueryClientProvider>,
);
